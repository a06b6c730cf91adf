/** Pages that the owner of the site wrote. */
export const migration: readonly string[] = [
  `CREATE TABLE page (
    slug TEXT NOT NULL CHECK (slug <> ''),
    language TEXT NOT NULL,
    title TEXT NOT NULL CHECK (title <> ''),
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'published')),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (slug, language)
  ) STRICT, WITHOUT ROWID`,
]
