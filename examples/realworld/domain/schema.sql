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

-- What somebody sees, in the form of the API. The viewer is a user, or 0: somebody who is not signed in. CROSS JOIN has
-- SQLite look for the article first, so that it can walk along an index.

DROP VIEW IF EXISTS popular_tag;
DROP VIEW IF EXISTS seen_comment;
DROP VIEW IF EXISTS seen_article;
DROP VIEW IF EXISTS seen_profile;
DROP VIEW IF EXISTS viewer;

CREATE VIEW viewer AS
SELECT id FROM user
UNION ALL
SELECT 0;

CREATE VIEW seen_profile AS
SELECT
  viewer.id AS viewer,
  u.id,
  u.username,
  json_object(
    'username', u.username,
    'bio', u.bio,
    'image', u.image,
    'following', json(iif(
      EXISTS (SELECT 1 FROM follow WHERE follower_id = viewer.id AND followed_id = u.id), 'true', 'false'
    ))
  ) AS json
FROM user u CROSS JOIN viewer;

CREATE VIEW seen_article AS
SELECT
  author.viewer,
  a.id,
  a.slug,
  a.author_id,
  author.username AS author,
  a.tags,
  a.created_at,
  a.body,
  json_object(
    'slug', a.slug,
    'title', a.title,
    'description', a.description,
    'tagList', json(a.tags),
    'createdAt', a.created_at,
    'updatedAt', a.updated_at,
    'favorited', json(iif(
      EXISTS (SELECT 1 FROM favorite WHERE article_id = a.id AND user_id = author.viewer), 'true', 'false'
    )),
    'favoritesCount', (SELECT count(*) FROM favorite WHERE article_id = a.id),
    'author', json(author.json)
  ) AS json
FROM article a CROSS JOIN seen_profile author ON author.id = a.author_id;

CREATE VIEW seen_comment AS
SELECT
  author.viewer,
  c.id,
  a.slug,
  json_object(
    'id', c.id,
    'createdAt', c.created_at,
    'updatedAt', c.created_at, -- nobody edits a comment
    'body', c.body,
    'author', json(author.json)
  ) AS json
FROM comment c
JOIN article a ON a.id = c.article_id
CROSS JOIN seen_profile author ON author.id = c.author_id;

CREATE VIEW popular_tag AS
SELECT value AS name FROM article, json_each(article.tags)
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 30;
