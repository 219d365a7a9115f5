"""The odds of every game as a static page (``make site``): questions, answers in Pyodide, the folder's build."""
