"""The folders of the input in; a preview of the site that follows every edit out."""
