import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { applyStep } from '../../packages/create-sallyport/src/kit/apply.ts'
import { openProject } from '../../packages/create-sallyport/src/kit/opened.ts'
import { Refusal } from '../../packages/create-sallyport/src/kit/refusal.ts'
import { describe as told } from '../../packages/create-sallyport/src/kit/report.ts'
import { applyOnly, upgrade } from '../../packages/create-sallyport/src/kit/upgrade.ts'
import type { Kit } from '../../packages/create-sallyport/src/kit-source.ts'
import { readChanges, type SecurityChange } from '../../packages/create-sallyport/src/security.ts'
import { succeed } from '../cli/packed-package.ts'
import { root } from './guide-code.ts'
import { change, commit, KIT, project, temporary, textOf } from './kit-project.ts'

const ID = 'SEC-2026-001'
const FIXED = textOf(KIT, 'core/limits/limits.ts')
const VULNERABLE = FIXED.replace("Limit('factor', 10)", "Limit('factor', 1000)")
const CHANGE: SecurityChange = {
  id: ID,
  title: 'codes could be guessed',
  files: {
    'core/limits/limits.ts': { before: VULNERABLE, after: FIXED },
    'parts/api/paging.ts': { before: 'a\n', after: 'b\n' },
    'core/limits/more.ts': { before: null, after: 'export {}\n' },
  },
}
const OF_API: SecurityChange = {
  ...CHANGE,
  id: 'SEC-2026-002',
  files: { 'parts/api/a.ts': { before: 'a', after: 'b' } },
}
const SOURCE: Kit = { folder: KIT, version: '0.2.0', changes: [CHANGE, OF_API] }

/** A project from before the change, in which the file has another edit. */
function vulnerable(): string {
  const app = project(KIT, '0.0.9')
  change(app, 'core/limits/limits.ts', () =>
    VULNERABLE.replace("Limit('recovery', 5)", "Limit('recovery', 3)"),
  )
  commit(app)
  return app
}

describe('a security change of the kit', () => {
  it('is applied alone, to an edited file of an older version, once [RA-3313]', () => {
    const app = vulnerable()

    const { step, security } = applyOnly(openProject(app), SOURCE, ID)
    applyStep(app, step)

    assert.deepEqual(
      step.changes.map(({ outcome, path }) => `${outcome} ${path}`),
      ['merged core/limits/limits.ts', 'added core/limits/more.ts'],
    )
    assert.deepEqual(security, [{ id: ID, title: CHANGE.title, isSettled: true }])
    const text = textOf(app, 'core/limits/limits.ts')
    assert.match(text, /Limit\('factor', 10\)[^]*Limit\('recovery', 3\)/)
    const { lock } = openProject(app)
    assert.equal(lock.version, '0.0.9')
    assert.throws(() => applyOnly(openProject(app), SOURCE, ID), { message: /is in this project already/ })
    assert.equal(upgrade(openProject(app), SOURCE).security.length, 0)
  })

  it('is named by an upgrade that brings it, unless it is of a part that is not there [RA-3313]', () => {
    const app = vulnerable()

    const proposal = upgrade(openProject(app), SOURCE)

    const text = told({ proposal, isDry: true, checks: [] })
    assert.match(text, /Security changes:\n {2}SEC-2026-001 codes could be guessed\n/)
    assert.doesNotMatch(text, /SEC-2026-002/)
    assert.throws(() => applyOnly(openProject(app), SOURCE, OF_API.id), Refusal)
  })

  it('says where somebody must look, when it does not fit [RA-3313]', () => {
    const app = vulnerable()
    change(app, 'core/limits/limits.ts', (text) =>
      text.replace("Limit('factor', 1000)", "Limit('factor', 77)"),
    )

    const proposal = applyOnly(openProject(app), SOURCE, ID)

    assert.equal(proposal.security[0]?.isSettled, false)
    assert.match(
      told({ proposal, isDry: false, checks: [] }),
      /^Conflicts, .*:\n {2}core\/limits\/limits\.ts$[^]*SEC-2026-001 .* \(look at its files above\)/m,
    )
  })

  it('is made from a commit, with the whole texts of both sides [RA-3313]', () => {
    const folder = temporary()
    succeed('git', ['init', '--quiet'], folder)
    change(folder, 'starter/core/a.ts', () => 'one\n')
    change(folder, 'src/a.ts', () => 'one\n')
    commit(folder)
    change(folder, 'starter/core/a.ts', () => 'two\n')
    change(folder, 'starter/core/b.ts', () => 'new\n')
    change(folder, 'starter/CHANGELOG.md', () => 'fixed\n')
    change(folder, 'src/a.ts', () => 'two\n')
    commit(folder)

    const script = join(root, 'packages/create-sallyport/security.mjs')
    const made = succeed(process.execPath, [script, ID, 'HEAD', 'it leaked'], folder)
    mkdirSync(join(folder, 'security'))
    writeFileSync(join(folder, `security/${ID}.json`), made)

    assert.deepEqual(readChanges(join(folder, 'security')), [
      {
        id: ID,
        title: 'it leaked',
        files: {
          'core/a.ts': { before: 'one\n', after: 'two\n' },
          'core/b.ts': { before: null, after: 'new\n' },
        },
      },
    ])
  })
})
