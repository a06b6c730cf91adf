-- Run at each start: creates what is missing.

PRAGMA journal_mode = WAL;
PRAGMA foreign_keys = ON;

CREATE TABLE IF NOT EXISTS user (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_hash TEXT NOT NULL,
  bio TEXT,
  image TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS token (
  digest TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id),
  expires INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS follow (
  follower_id INTEGER NOT NULL REFERENCES user (id),
  followed_id INTEGER NOT NULL REFERENCES user (id),
  PRIMARY KEY (follower_id, followed_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS article (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  author_id INTEGER NOT NULL REFERENCES user (id),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  body TEXT NOT NULL,
  tags TEXT NOT NULL, -- a JSON array, in alphabetical order
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS article_author ON article (author_id);
CREATE INDEX IF NOT EXISTS article_created ON article (created_at);

CREATE TABLE IF NOT EXISTS favorite (
  article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id),
  PRIMARY KEY (article_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS favorite_user ON favorite (user_id);

CREATE TABLE IF NOT EXISTS comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- the number of a deleted comment is not used again
  article_id INTEGER NOT NULL REFERENCES article (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES user (id),
  body TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS comment_article ON comment (article_id);
