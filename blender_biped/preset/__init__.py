"""A style of walking as data: its values, what is on the way from one to another, what timeline markers say."""
