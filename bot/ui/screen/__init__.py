"""The table of a channel as a page, for a second screen, and a match as a page to keep.

``html`` is the one way from text to HTML, ``parts`` draws a table, ``pages`` are the documents, ``follow`` keeps a page
up to date, ``link`` is the command and the buttons, ``replay`` the match to keep. ``bot.pages`` serves all that.
"""
