import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const GUIDES: readonly string[] = [
  'README.md',
  'SECURITY.md',
  'starter/README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
].filter((path) => path.endsWith('.md'))

describe('the guides', () => {
  it('link to files that are there', () => {
    const broken = GUIDES.flatMap((guide) =>
      [...read(guide).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
        .map(([, target = '']) => join(dirname(guide), target))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${guide}: ${target}`),
    )

    assert.deepEqual(broken, [])
  })

  it('name every channel of security events', () => {
    const channels = [...read('src/core/security-events.ts').matchAll(/channel\('(sallyport:[a-z-]+)'\)/g)]
    const guide = read('docs/application.md')

    const unnamed = channels.map(([, name = '']) => name).filter((name) => !guide.includes(`\`${name}\``))

    assert.notEqual(channels.length, 0)
    assert.deepEqual(unnamed, [])
  })

  it('are all in the table of contents', () => {
    const contents = read('docs/README.md')

    const missing = GUIDES.filter((guide) => /^docs\/(?!README)[\w-]+\.md$/.test(guide)).filter(
      (guide) => !contents.includes(`(${guide.slice('docs/'.length)})`),
    )

    assert.deepEqual(missing, [])
  })
})
