import { Clock, inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'
import { type Language, LANGUAGES } from '../../core/messages/language.ts'

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_SLUG_CHARACTERS = 64
const MAX_TITLE_CHARACTERS = 200
const MAX_BODY_CHARACTERS = 100_000

/** One row for each language of a page that the site's owner wrote. */
export interface PageTable {
  /** The path without its slash, such as `imprint`: lower-case words with hyphens between them. */
  slug: string
  language: Language
  title: string
  /** Plain text; a blank line begins a paragraph. */
  body: string
  /** Only `published` ones are found. */
  state: 'draft' | 'published'
  updated_at: number
}

/** A page in one language, as its author wrote it. */
export type PageText = Readonly<Omit<PageTable, 'updated_at'>>

/** A page in all languages that are published. */
export type PublishedPage = readonly Pick<PageText, 'language' | 'title' | 'body'>[]

/** Pages that the owner of the site writes, such as an imprint. */
export class Pages {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /** @returns The page; undefined when it is published in no language. */
  async published(slug: string): Promise<PublishedPage | undefined> {
    if (!isSlug(slug)) return undefined
    const texts = await this.#database
      .selectFrom('page')
      .select(['language', 'title', 'body'])
      .where('slug', '=', slug)
      .where('state', '=', 'published')
      .execute()
    return texts.length === 0 ? undefined : texts
  }

  /**
   * Writes a page in one language, in place of what it said before.
   *
   * @throws {RangeError} If slug, language, title or body is malformed or too long.
   */
  async save(text: PageText): Promise<void> {
    assertPage(text)
    const { slug, language, ...rest } = text
    const content = { ...rest, updated_at: this.#clock.timestamp() }
    await this.#database
      .insertInto('page')
      .values({ slug, language, ...content })
      .onConflict((conflict) => conflict.columns(['slug', 'language']).doUpdateSet(content))
      .execute()
  }
}

function isSlug(slug: string): boolean {
  return slug.length <= MAX_SLUG_CHARACTERS && SLUG.test(slug)
}

function assertPage({ slug, language, title, body }: PageText): void {
  if (!isSlug(slug))
    throw new RangeError(
      `Cannot write the page ${JSON.stringify(slug)}: a name such as "imprint" has lower-case letters, digits and hyphens, ${MAX_SLUG_CHARACTERS} at most`,
    )
  if (!LANGUAGES.includes(language))
    throw new RangeError(
      `Cannot write a page in ${JSON.stringify(language)}: only in ${LANGUAGES.join(', ')}`,
    )
  if (title.trim() === '' || title.length > MAX_TITLE_CHARACTERS)
    throw new RangeError(`Cannot write a page without a title of at most ${MAX_TITLE_CHARACTERS} characters`)
  if (body.length > MAX_BODY_CHARACTERS)
    throw new RangeError(`Cannot write a page of more than ${MAX_BODY_CHARACTERS} characters`)
}
