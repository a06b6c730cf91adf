import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { AuditEvent } from '../core/audit/audit-trail.ts'
import { PARTS } from '../parts.ts'

const STARTER = new URL('..', import.meta.url)
const PAGES = globSync('{*,docs/*}.md', { cwd: STARTER }).filter((page) => page !== 'CHANGELOG.md')

function read(path: string): string {
  return readFileSync(new URL(path, STARTER), 'utf8')
}

/** A page, without the list of parts in the README of a project. */
function told(page: string): string {
  return read(page).replaceAll(/^- \[.*\]\(parts\/[^/]+\/README\.md\).*$/gm, '')
}

/** What is in backticks below a heading. */
function namesBelow(heading: string, text: string): readonly string[] {
  const [, section = ''] = new RegExp(`^## ${heading}\\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(text) ?? []
  return [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

describe('the documents', () => {
  it('list every kind of event that is logged: SECURITY.md those of the core, once each [RA-2601 RA-0008]', () => {
    const [, section = ''] = read('SECURITY.md').split('## What is logged')
    const listed = [...section.matchAll(/^- `([\w-]+)`/gm)].map(([, kind = '']) => kind)

    assert.deepEqual(listed, Object.values(AuditEvent).toSorted())
  })

  for (const { name, events = [], commands = {} } of PARTS)
    it(`tell the events and commands of the part ${name} in its README [RA-2601 RA-3303]`, () => {
      const readme = read(`parts/${name}/README.md`)

      assert.deepEqual(namesBelow('Events', readme), events.toSorted())
      const named = namesBelow('Commands', readme).map((line) => line.replace(/ .*/, ''))
      for (const command of Object.keys(commands)) assert.ok(named.includes(command), command)
    })

  for (const { name, events = [], commands = {} } of PARTS)
    it(`say nothing of the part ${name} outside its folder, but in the page made from the parts [RA-3303]`, () => {
      const settings = namesBelow('Settings', read(`parts/${name}/README.md`))
      const own = [`parts/${name}`, ...settings.filter((word) => /^[A-Z_]{3,}$/.test(word)), ...events]
      const words = [...own, ...Object.keys(commands).map((command) => `npm start -- ${command} `)]
      for (const page of PAGES.filter((each) => each !== 'WAYS-IN.md'))
        for (const word of words) assert.ok(!told(page).includes(word), `${page}: ${word}`)
    })
})
