"""The odds of a game as the static page asks for them: what stands in the fields of its form, for a link to it.

Each game says in its file what fields its question has, for each choice that is compared. A question that the form
cannot ask (ships of a channel, profiles, several shots) gives (): the page would answer another.
"""

Fields = dict[str, str]
Asked = tuple[Fields, ...]


def filled(fields: Fields) -> Fields:
    return {key: text for key, text in fields.items() if text}


def numbers(fields: Fields) -> dict[str, object]:
    """The numbers among the fields, as the page reads them."""
    return {key: int(text) for key, text in fields.items() if text.isdecimal()}
