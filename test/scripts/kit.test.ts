import assert from 'node:assert/strict'
import { appendFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { partsOf } from '../../packages/create-sallyport/src/catalogue.ts'
import { readRecord } from '../../packages/create-sallyport/src/record.ts'
import { succeed } from '../cli/packed-package.ts'
import { change, commit, kit, KIT, project, STANDARD, temporary, textOf } from './kit-project.ts'

describe('sallyport-kit', () => {
  it('lists the parts of a project, its own ones, and those that can be added [RA-3312]', () => {
    const app = project()
    change(app, 'parts/berths/part.ts', () => 'export const berths = {}\n')
    change(app, 'parts.ts', (text) => `import { berths } from './parts/berths/part.ts'\n${text}`)

    const parts = JSON.parse(kit(app, 'list', '--json').out) as readonly {
      readonly name: string
      readonly isThere: boolean
      readonly isOfKit: boolean
    }[]
    const { out } = kit(app, 'list')

    const named = (isThere: boolean, isOfKit: boolean): readonly string[] =>
      parts.filter((part) => part.isThere === isThere && part.isOfKit === isOfKit).map(({ name }) => name)
    assert.deepEqual(named(true, true), STANDARD)
    assert.deepEqual(named(true, false), ['berths'])
    assert.equal(named(false, true).length, partsOf(KIT).length - STANDARD.length)
    assert.match(out, /^In this project\n {2}activity +\S.*\.$/m)
    assert.match(out, /^Can be added\n[^]*^ {2}administration-api .* Needs administration, api\.$/m)
  })

  it('adds a part with those that it needs, and takes them away again, without a trace [RA-3312]', () => {
    const app = project()
    // The project's own part stands where the new ones go.
    change(app, 'parts.ts', (text) => text.replace('  passkeys,\n', '  passkeys,\n  ...[],\n'))
    commit(app)

    const added = kit(app, 'add', 'administration-api')

    assert.equal(added.code, 0, added.out)
    assert.match(added.out, /^Needed by what you named: administration, api\.$/m)
    assert.ok(existsSync(join(app, 'parts/api/part.ts')))
    assert.match(textOf(app, 'README.md'), /^- \[api\]\(parts\/api\/README\.md\)$/m)
    assert.match(
      textOf(app, 'parts.ts'),
      /^ {2}activity,\n {2}administration,\n {2}administrationApi,\n {2}api,\n/m,
    )
    assert.deepEqual(readRecord(app).lock.parts, [
      'activity',
      'administration',
      'administration-api',
      'api',
      'passkeys',
      'sessions',
    ])

    const removed = kit(app, 'remove', 'api', 'administration', 'administration-api', '--force')

    assert.equal(removed.code, 0, removed.out)
    assert.match(
      removed.out,
      /DROP TABLE api_token;\n {2}DELETE FROM kysely_migration WHERE name = 'part_api';/,
    )
    assert.equal(succeed('git', ['status', '--short'], app), '')
  })

  it('brings the settings of a part to .env.example [RA-3312]', () => {
    const app = project()

    kit(app, 'add', 'mail-codes')

    assert.match(textOf(app, '.env.example'), /^#MAIL_CODES=$/m)
  })

  it('removes an edited part only by force, and then all of it [RA-3312]', () => {
    const app = project()
    change(app, 'parts/activity/part.ts', (text) => `${text}// ours\n`)
    change(app, 'parts/activity/ours.ts', () => 'export {}\n')
    commit(app)

    const refused = kit(app, 'remove', 'activity')
    const forced = kit(app, 'remove', 'activity', '--force')

    assert.equal(refused.code, 2)
    assert.match(refused.out, /parts\/activity\/part\.ts/)
    assert.match(refused.out, /parts\/activity\/ours\.ts/)
    assert.equal(forced.code, 0)
    assert.equal(existsSync(join(app, 'parts/activity')), false)
  })

  it('shows what was edited, moved and deleted since the kit wrote it [RA-3311]', () => {
    const app = project()
    change(app, 'core/brand.ts', (text) => text.replace('My app', 'Harbor'))
    renameSync(join(app, 'parts/passkeys/forms.ts'), join(app, 'parts/passkeys/key-forms.ts'))
    rmSync(join(app, 'parts/activity/README.md'))

    const all = JSON.parse(kit(app, 'diff', '--json').out) as unknown
    const one = kit(app, 'diff', 'core').out

    assert.deepEqual(all, [
      { path: 'core/brand.ts', state: 'edited' },
      { path: 'parts/activity/README.md', state: 'deleted' },
      { path: 'parts/passkeys/forms.ts', state: 'moved', to: 'parts/passkeys/key-forms.ts' },
    ])
    assert.match(one, /^--- kit\/core\/brand\.ts\n\+\+\+ yours\/core\/brand\.ts$/m)
    assert.match(one, /^-.*My app.*\n\+.*Harbor/m)
    assert.doesNotMatch(one, /key-policy/)
  })
})

describe('a refusal of sallyport-kit', () => {
  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['of an unknown part', ['add', 'x'], /there is no part "x": use activity, /],
    ['of a part that is there', ['add', 'activity'], /the part "activity" is there already/],
    ['to remove a part that is not there', ['remove', 'api'], /no part "api" of the kit: it has activity, /],
    [
      'of an unknown security change',
      ['upgrade', '--only', 'SEC-2026-999'],
      /no security change "SEC-2026-999"/,
    ],
    ['of an unknown command', ['update'], /name a command: list, add, remove, diff, upgrade/],
    ['without the name of a part', ['add'], /"add" needs the name of a part/],
    ['of a word too many', ['upgrade', 'all'], /"upgrade" does not take "all"/],
  ]
  let same = ''

  before(() => {
    same = project()
  })

  for (const [what, words, reason] of REFUSED)
    it(`${what} says why, and changes nothing [RA-3311 RA-3312]`, () => {
      const { code, out } = kit(same, ...words)

      assert.equal(code, 2)
      assert.match(out, reason)
      assert.equal(succeed('git', ['status', '--short'], same), '')
    })

  it('names both parts when one needs the other, the one of the project too [RA-3312]', () => {
    const app = project()
    change(app, 'parts/berths/part.ts', () => 'export const berths = {\n  needs: [passkeys],\n}\n')
    change(app, 'parts.ts', (text) => `import { berths } from './parts/berths/part.ts'\n${text}`)
    commit(app)

    assert.match(
      kit(app, 'remove', 'passkeys').out,
      /the part "berths" needs "passkeys": remove "berths", too/,
    )
  })

  it('comes where nothing could be taken back, unless it is forced [RA-3311]', () => {
    const app = project()
    appendFileSync(join(app, 'README.md'), 'more\n')
    const elsewhere = temporary()

    assert.match(kit(app, 'add', 'api').out, /changes that are not committed/)
    assert.equal(kit(app, 'add', 'api', '--force').code, 0)
    assert.match(kit(elsewhere, 'list').out, /has no sallyport\.lock\.json: go to the folder of a project/)
    rmSync(join(app, '.git'), { recursive: true })
    assert.match(kit(app, 'upgrade').out, /is in no git repository/)
    rmSync(join(app, '.sallyport'), { recursive: true })
    assert.match(kit(app, 'list').out, /cannot be read: restore them from git/)
  })
})
