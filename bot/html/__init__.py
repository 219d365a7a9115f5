"""Pages: a channel's table for a second screen, and matches as files.

``html`` generates escaped HTML, ``pictures`` gives dice and charts their URLs, ``parts`` renders a table, ``documents``
whole pages, ``match`` the page file. Pages are made of cards, rules, and languages, without Discord or the store:
``bot.ui.live.live_page`` passes in a channel's public state, ``bot.web.live_pages`` serves them.
"""
