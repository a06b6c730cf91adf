import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

import { extractFiles, listGuides, read, root } from './guide-code.ts'

const GUIDES: readonly string[] = [
  ...listGuides(),
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'bench/README.md',
  'scripts/mutation/README.md',
  ...readdirSync(join(root, 'docs/decisions'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/decisions/${name}`),
]
// Guides whose programs are one application, built from the first section to the last.
const ONE_APPLICATION: ReadonlySet<string> = new Set(['docs/existing-application.md'])
// Pages about commands or measurements, and one that is built step by step, begin with something else than a program.
const WITHOUT_PROGRAM: ReadonlySet<string> = new Set([
  'docs/README.md',
  'docs/cli.md',
  'docs/contributing.md',
  'docs/realworld.md',
  'docs/scale.md',
  'docs/tutorial.md',
])
// Our own package.json.
const { devDependencies: TYPED } = JSON.parse(read('package.json')) as { devDependencies: object }
// Entries of the framework that need another package.
const PEERS: Readonly<Record<string, string>> = {
  'sallyport/session/redis': 'redis',
  'sallyport/session/postgres': 'pg',
}
// A test of its own applies this one to a copy of the starter.
const APPLIED = 'starter/docs/add-a-page.md'

const AVOIDED = /\b(octets?|look-ups?|whoever|somebody|anybody|(?:short|long) way|on our side|thrice)\b/i
// Habits of translated English.
const NOT_PLAIN: readonly RegExp[] = [
  /\b(anew|everybody|in doubt|for good|all the same|(?:first|second) door|is heard|are heard|hears|set-ups?)\b/i,
  // "email" is the countable noun. A server, a service and a scanner are for mail.
  /\b(e-mails?|mails|(?:an?|the|by|every) mail\b(?! (?:server|service|scanner)))\b/i,
  // "Of several, the nearest counts." "What was typed is kept." A question may begin with these words.
  /(?<=^|[.:] |- |\*\*|\| )(?:Of|Who|What|Whatever) [a-z][^.?]*(?![^.?]*\?)/m,
]
const NO_GUIDES: ReadonlySet<string> = new Set(['docs/README.md', 'docs/contributing.md'])

interface Link {
  readonly guide: string
  readonly path: string
  readonly anchor: string
}

function linksOf(guide: string): Link[] {
  const text = withoutCode(read(guide))
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target = '', anchor = '']) => ({
      guide,
      path: target === '' ? guide : join(dirname(guide), target),
      anchor,
    }),
  )
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '')
}

function installedIn(text: string): string[] {
  return [...text.matchAll(/^npm install (.+)$/gm)].flatMap(([, names = '']) => names.split(' '))
}

// The packages that a program imports, with those that have their types.
function packagesOf(program: string): string[] {
  const names = [...program.matchAll(/\bfrom '([^']+)'/g)]
    .map(([, specifier = '']) => PEERS[specifier] ?? specifier)
    .filter((name) => !/^(\.|node:|sallyport\b)/.test(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  return names.flatMap((name) => [name, ...(`@types/${name}` in TYPED ? [`@types/${name}`] : [])])
}

// Each as its file, and the words with what surrounds them.
function findWords(path: string, patterns: readonly RegExp[]): string[] {
  const prose = withoutCode(read(path))
    .replaceAll(/`[^`]*`|\]\([^)]*\)|^#.*$/gm, '…')
    .replaceAll(/(?<!\n)\n(?![\n|])/g, ' ')
  return patterns.flatMap((pattern) => {
    const { index, 0: words = '' } = pattern.exec(prose) ?? {}
    return index === undefined ? [] : [`${path}: ${words}${prose.slice(index + words.length).slice(0, 40)}`]
  })
}

// As the big hosts of repositories make them: small letters, no punctuation, hyphens for blanks.
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

describe('the guides', () => {
  it('link to files that exist', () => {
    const broken = GUIDES.flatMap(linksOf).filter(({ path }) => !existsSync(join(root, path)))

    assert.deepEqual(broken, [])
  })

  it('link to headings that exist', () => {
    const links = GUIDES.flatMap(linksOf).filter(({ anchor }) => anchor !== '')

    const broken = links.filter(({ path, anchor }) => !anchorsOf(path).has(anchor))

    assert.ok(links.length > 20)
    assert.deepEqual(broken, [])
  })

  it('are in the package, and link to nothing that it lacks [HOST-09]', () => {
    const packing = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline']
    const [packed] = JSON.parse(execFileSync('npm', packing, { cwd: root, encoding: 'utf8' })) as readonly [
      { readonly files: readonly { readonly path: string }[] },
    ]
    const files = packed.files.map(({ path }) => path)
    const pages = files.filter((path) => path.endsWith('.md'))

    assert.deepEqual(
      readdirSync(join(root, 'docs')).filter(
        (name) => name.endsWith('.md') && !pages.includes(`docs/${name}`),
      ),
      [],
    )
    assert.deepEqual(
      pages.flatMap(linksOf).filter(({ path }) => !files.includes(path)),
      [],
    )
  })

  it('are all in the table of contents', () => {
    const contents = read('docs/README.md')

    const missing = GUIDES.filter((guide) => /^docs\/(?!README)[\w-]+\.md$/.test(guide)).filter(
      (guide) => !contents.includes(`(${guide.slice('docs/'.length)})`),
    )

    assert.deepEqual(missing, [])
  })

  it('of the starter are all linked from its README, which starts it and copies it on one page', () => {
    const readme = read('starter/README.md')

    const missing = listGuides()
      .filter((guide) => /^starter\/(?!README|parts)/.test(guide))
      .filter((guide) => !readme.includes(`](${guide.slice('starter/'.length)})`))

    assert.deepEqual(missing, [])
    const beginning = readme.split('\n').slice(0, 40).join('\n')
    for (const part of ['`npm start`', '.webp)', 'npm run create']) assert.ok(beginning.includes(part), part)
    assert.ok(readme.split('\n').length < 100)
  })

  it('begin with a program', () => {
    const guides = listGuides().filter((path) => path.startsWith('docs/') && !WITHOUT_PROGRAM.has(path))

    const others = guides.filter((path) => {
      const text = read(path).replace(/^```sh\nnpm install [^]*?^```$/m, '')
      return /^```(\w*)/m.exec(text)?.[1] !== 'ts'
    })

    assert.deepEqual(others, [])
  })

  it('install each package that a program imports before the program', () => {
    const known = installedIn(read('docs/tutorial.md'))

    const missing = listGuides()
      .filter((guide) => guide.startsWith('docs/') && guide !== 'docs/tutorial.md')
      .flatMap((guide) =>
        [...read(guide).matchAll(/^```ts\n([^]*?)^```/gm)].flatMap(({ 1: program = '', index }) => {
          const before = read(guide).slice(0, index)
          const shown = ONE_APPLICATION.has(guide) ? before : (before.split(/^## /m).at(-1) ?? '')
          const installed = [...known, ...installedIn(shown)]
          return packagesOf(program)
            .filter((name) => !installed.includes(name))
            .map((name) => `${guide}: ${name}`)
        }),
      )

    assert.deepEqual(missing, [])
  })

  it('name the file of each template, and render it', () => {
    const unused = GUIDES.filter((guide) => guide !== APPLIED).flatMap((guide) => {
      const text = read(guide)
      const files = Object.keys(extractFiles(text)).filter((name) => name.endsWith('.edge'))
      const blocks = [...text.matchAll(/^```edge$/gm)].length
      const names = [...text.matchAll(/(?:[Vv]iew|@include|@!?component)\(\s*'([\w/-]+)'/g)].map(
        ([, name = '']) => `views/${name}.edge`,
      )
      const idle = files.filter((name) => !names.includes(name)).map((name) => `${guide}: ${name}`)
      return guide === 'docs/tutorial.md' || blocks === files.length
        ? idle
        : [`${guide}: a template has no name`]
    })

    assert.deepEqual(unused, [])
  })

  it('use the words of the field', () => {
    assert.deepEqual(
      listGuides().flatMap((path) => findWords(path, [AVOIDED])),
      [],
    )
  })

  it('use plain English', () => {
    const guides = listGuides().filter((path) => path.includes('/') && !NO_GUIDES.has(path))

    assert.deepEqual(
      guides.flatMap((path) => findWords(path, NOT_PLAIN)),
      [],
    )
  })
})
