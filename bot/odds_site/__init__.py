"""The odds of every game as a page that needs no server: plain files for any static host, made by ``make site``.

``forms`` says what is asked, ``answers`` counts and shows it, in the browser too, where Pyodide runs them; ``build``
writes the folder. Nothing here has heard of Discord, and nothing is sent anywhere.
"""
