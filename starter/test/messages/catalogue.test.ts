import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AuditEvent, PASSWORD_UNFINISHED } from '../../core/audit/audit-trail.ts'
import { catalogues } from '../catalogues.ts'
import type { LanguageMessages } from '../../core/messages/catalogue.ts'
import { PARTS } from '../../parts.ts'
import { LANGUAGES } from '../../core/messages/language.ts'

const STARTER = fileURLToPath(new URL('../..', import.meta.url))
const DOMAINS: readonly (keyof LanguageMessages)[] = ['messages', 'validation', 'auth']

// Whoever asks the database names columns of tables.
const ASKS_DATABASE = /\.(?:selectFrom|updateTable|deleteFrom|insertInto)\(|\bsql[<`]/
// What of a part is about pages, also where it asks the database.
const OF_PAGES = /\.edge$|(?:controller|errors|lines|module|notice|part|sign-in)\.ts$/

// What the package beneath the pages names.
const OF_PACKAGE = /^(?:events|time|wait)\./

// What several parts say, and no page of the core.
const SHARED: ReadonlySet<string> = new Set(['account.email', 'account.name'])

/** Identifiers of the messages that templates and code name in full. */
function namedIds(): ReadonlySet<string> {
  const inParts = readdirSync(join(STARTER, 'parts'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(edge|ts)$/.test(file) && !/\/test\/|\/texts\.\w+\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(STARTER, 'parts', file), 'utf8') }))
  const ofParts = inParts
    .filter(({ file, text }) => OF_PAGES.test(file) || !ASKS_DATABASE.test(text))
    .map(({ text }) => text)
  // What begins the program names files.
  const ofCore = readdirSync(join(STARTER, 'core'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(edge|ts)$/.test(file) && !/^(boot|messages)\//.test(file))
    .map((file) => readFileSync(join(STARTER, 'core', file), 'utf8'))
    .filter((text) => !ASKS_DATABASE.test(text))
  const sources = [...ofParts, ...ofCore]
  return new Set([...sources.join('\n').matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)].map(([, id = '']) => id))
}

/** Names of the values that a message takes, each once. */
function placeholders(message: string): readonly string[] {
  return [...new Set([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))].toSorted()
}

describe('the catalogue', () => {
  for (const domain of DOMAINS) {
    it(`has the same messages of the domain ${domain} in every language, with the same values [RA-3101]`, () => {
      const { en } = catalogues
      for (const language of LANGUAGES) {
        const texts = catalogues[language][domain]
        assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(en[domain]).toSorted())
        for (const [id, text] of Object.entries(texts)) {
          assert.match(text, /\S/, `${language} ${id}`)
          assert.deepEqual(placeholders(text), placeholders(en[domain][id] ?? ''), `${language} ${id}`)
        }
      }
    })
  }

  it('has every message that a template or a controller names, and no other [RA-3101]', () => {
    const known = Object.keys(catalogues.en.messages)
    const named = namedIds()
    const subjects = new Set(known.map((id) => id.split('.')[0]))

    const missing = [...named].filter((id) => subjects.has(id.split('.')[0]) && !known.includes(id))
    const allowed = PARTS.flatMap(({ permissions = [], scopes = [] }) => [
      ...permissions,
      ...scopes.map(({ name }) => name),
    ])
    assert.deepEqual(
      missing.filter((id) => !allowed.includes(id)),
      [],
    )
    const composed =
      /^(event|error|factor|help|home|mail|notice|permission|rule|sessions\.proven|security\.kind|setup|challenge\.(hint|code)|admin\.(condition|mark)|duty\.(reminder|overdue)|[a-z-]+\.(refused|resident))\.|^sign-in\.(expired|spent|unavailable)$|^admin\.(by(-\w+)?|[a-z-]+\.(lead|done))$/
    assert.deepEqual(
      known.filter((id) => !named.has(id) && !composed.test(id) && !OF_PACKAGE.test(id) && !SHARED.has(id)),
      [],
    )
  })

  it('gives a part no text of a part that it does not need', () => {
    for (const { name, needs = [] } of PARTS) {
      const files = readdirSync(join(STARTER, 'parts', name), { recursive: true, encoding: 'utf8' })
      const own = files.filter((file) => /\.(?:edge|ts)$/.test(file) && !file.startsWith('test/'))
      const text = own.map((file) => readFileSync(join(STARTER, 'parts', name, file), 'utf8')).join('\n')
      const others = PARTS.filter((part) => part.name !== name && !needs.includes(part))
      const ids = others.flatMap(({ texts }) => Object.keys(texts?.en ?? {}))

      assert.deepEqual(
        ids.filter((id) => text.includes(`'${id}'`)),
        [],
        name,
      )
    }
  })

  it('words every kind of event', () => {
    const ofParts = PARTS.flatMap(({ events = [] }) => events)
    for (const kind of [...Object.values(AuditEvent), ...ofParts, PASSWORD_UNFINISHED])
      assert.ok(`event.${kind}` in catalogues.en.messages, kind)
  })
})
