"""Pages: the table of a channel for a second screen, and a match to keep.

``html`` is the one way from text to HTML, ``pictures`` gives dice and charts their addresses, ``parts`` draws a table,
``documents`` are the whole pages, ``match`` the page to keep. A page is made of cards, rules and languages and knows
neither Discord nor the store: ``bot.ui.live.live_messages.live_page`` hands it what a channel shows to everybody,
``bot.web.live_pages`` serves it.
"""
