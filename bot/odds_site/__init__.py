"""The odds of every game as a static page for any host, built by ``make site``. ``forms`` defines the questions,
``answers`` computes and shows answers, in the browser through Pyodide; ``build`` writes the folder. No Discord, and
nothing is sent anywhere.
"""
