"""What a chart drew, read back from its artists."""

from matplotlib.collections import PolyCollection


def boxes(axes, name):
    """(left, bottom, width, height) of all boxes of a name."""
    found = []
    for artist in axes.collections:
        if isinstance(artist, PolyCollection) and artist.get_label() == name:
            for path in artist.get_paths():
                (left, bottom), (right, top) = path.vertices.min(axis=0), path.vertices.max(axis=0)
                found.append(tuple(round(float(number), 6) for number in (left, bottom, right - left, top - bottom)))
    return found


def widths(axes, name):
    return [width for _, _, width, _ in boxes(axes, name)]


def row_names(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


def texts(chart):
    return [text.get_text() for text in chart.texts] + [text.get_text() for axes in chart.axes for text in axes.texts]
