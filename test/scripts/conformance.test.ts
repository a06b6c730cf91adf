import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

import { clauseIdsOf, parseClauses } from '../../scripts/conformance/clauses.ts'
import type { Leaf } from '../../scripts/test/leaves.ts'
import { toJson, toText } from '../../scripts/conformance/report.ts'
import { findUnknownClauses, judge } from '../../scripts/conformance/verdicts.ts'

const markdown = `
- AA-01 [fw] · First sentence. (L1, L2)
- AA-02 [app] · Second sentence. † (L3)
- BB-01 [both] · Third sentence.
- BB-02 [fw] · withdrawn
- OPEN-01 · Not a clause.
`

function leaf(title: string, outcome: Leaf['outcome'] = 'passed'): Leaf {
  return { title, outcome, file: 'test/x.test.ts', line: 1, milliseconds: 1 }
}

describe('parseClauses()', () => {
  it('reads id, prefix, owner and sentence and skips other lines', () => {
    const clauses = parseClauses(markdown)

    assert.deepEqual(clauses, [
      { id: 'AA-01', prefix: 'AA', owner: 'fw', text: 'First sentence.' },
      { id: 'AA-02', prefix: 'AA', owner: 'app', text: 'Second sentence.' },
      { id: 'BB-01', prefix: 'BB', owner: 'both', text: 'Third sentence.' },
    ])
  })

  it('refuses a duplicate id', () => {
    assert.throws(() => parseClauses('- AA-01 [fw] · One.\n- AA-01 [fw] · Two.'), RangeError)
  })

  it('reads several files in their order, and refuses an id that two of them have', () => {
    const clauses = parseClauses('- AA-01 [fw] · One.', '- RA-1103 [app] · Two.')

    assert.deepEqual(
      clauses.map(({ id }) => id),
      ['AA-01', 'RA-1103'],
    )
    assert.throws(() => parseClauses('- AA-01 [fw] · One.', '- AA-01 [fw] · Two.'), RangeError)
  })
})

describe('clauseIdsOf()', () => {
  for (const [title, ids] of [
    ['works [AA-01]', ['AA-01']],
    ['works [AA-01 BB-12]', ['AA-01', 'BB-12']],
    ['works [AA-01], with a name [BB-12]', ['AA-01', 'BB-12']],
    ['twice [AA-01 AA-01]', ['AA-01']],
    ['works as AA-01 says', []],
    ['AA-01: works', []],
    ['takes a list [AA-01, 2]', []],
    ['a range [AA-01..03]', []],
    ['works', []],
  ] as const) {
    it(`reads ${JSON.stringify(ids)} from "${title}"`, () => {
      assert.deepEqual(clauseIdsOf(title), ids)
    })
  }
})

describe('judge()', () => {
  const clauses = parseClauses(markdown)

  for (const [name, leaves, status] of [
    ['no test names it', [leaf('other [AA-02]')], 'untested'],
    ['its tests passed', [leaf('a [AA-01]'), leaf('b [AA-02 AA-01]')], 'met'],
    ['one of its tests failed', [leaf('a [AA-01]'), leaf('b [AA-01]', 'failed')], 'failing'],
    ['one of its tests is skipped', [leaf('a [AA-01]'), leaf('b [AA-01]', 'open')], 'untested'],
    ['one is skipped and one failed', [leaf('a [AA-01]', 'failed'), leaf('b [AA-01]', 'open')], 'failing'],
  ] as const) {
    it(`returns ${status} when ${name}`, () => {
      const verdict = judge(clauses, leaves).find(({ clause }) => clause.id === 'AA-01')

      assert.equal(verdict?.status, status)
    })
  }
})

describe('findUnknownClauses()', () => {
  it('finds a number that no clause has, and lets other prefixes pass', () => {
    const leaves = [
      leaf('known [AA-01]'),
      leaf('slip [AA-77]'),
      leaf('a goal [R-07]'),
      leaf('a hole [OPEN-01]'),
    ]

    const unknown = findUnknownClauses(parseClauses(markdown), leaves)

    assert.deepEqual(
      unknown.map(({ id }) => id),
      ['AA-77'],
    )
  })
})

describe('the reports', () => {
  const verdicts = judge(parseClauses(markdown), [leaf('a [AA-01]'), leaf('b [AA-02]', 'failed')])

  it('give a program each clause with its status', () => {
    assert.deepEqual(JSON.parse(toJson(verdicts)), {
      clauses: { 'AA-01': 'met', 'AA-02': 'failing', 'BB-01': 'untested' },
    })
  })

  it('give a person each clause, the failed test, and totals by prefix and owner', () => {
    const lines = toText(verdicts, 120)
      .split('\n')
      .map((line) => line.trim().replace(/ {2,}/g, ' '))

    assert.ok(lines.includes('met AA-01 [fw] First sentence.'))
    assert.ok(lines.includes('failing AA-02 [app] Second sentence.'))
    assert.ok(lines.includes('✖ b [AA-02]'))
    assert.ok(lines.includes('AA 2 1 1 0 1/1 0/1 –'))
    assert.ok(lines.includes('all 3 1 1 1 1/1 0/1 0/1'))
  })
})

describe('npm run conformance', () => {
  const main = fileURLToPath(new URL('../../scripts/conformance/main.ts', import.meta.url))

  function run(
    t: TestContext,
    tests: string,
    ...more: readonly string[]
  ): { stdout: string; stderr: string; status: number | null } {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'clauses.md'), markdown)
    writeFileSync(join(folder, 'one.mjs'), `import { describe, it } from 'node:test'\n${tests}\n`)
    const args = [
      '--json',
      '--clauses',
      join(folder, 'clauses.md'),
      '--tests',
      join(folder, '*.mjs'),
      ...more,
    ]
    return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })
  }

  function clausesOf(stdout: string): unknown {
    const report: unknown = JSON.parse(stdout)
    assert.ok(typeof report === 'object' && report !== null && 'clauses' in report)
    return report.clauses
  }

  it('counts leaves only: neither a suite nor a test with subtests proves a clause', (t) => {
    const { stdout, stderr, status } = run(
      t,
      `describe('a suite [AA-01]', () => { it('says nothing', () => {}) })
       it('a parent [AA-02]', async (t) => { await t.test('a leaf [BB-01]', () => {}) })`,
    )

    assert.deepEqual(clausesOf(stdout), { 'AA-01': 'untested', 'AA-02': 'untested', 'BB-01': 'met' })
    assert.equal(stderr, '')
    assert.equal(status, 0)
  })

  it('reports what a run of all tests left, also where that failed outside of any test', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const clauses = join(folder, 'clauses.md')
    writeFileSync(clauses, markdown)
    const leaf = (title: string) => JSON.stringify({ title, file: 'x', line: 1, outcome: 'passed' })
    writeFileSync(join(folder, 'together.jsonl'), `${leaf('a [AA-01]')}\n${leaf('none')}\n`)
    writeFileSync(join(folder, 'alone.jsonl'), `${leaf('b [BB-01]')}\n`)
    const args = [main, '--json', '--clauses', clauses, '--leaves', folder]

    const passed = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const failed = spawnSync(process.execPath, [...args, '--failed'], { encoding: 'utf8' })

    assert.deepEqual(clausesOf(passed.stdout), { 'AA-01': 'met', 'AA-02': 'untested', 'BB-01': 'met' })
    assert.deepEqual([passed.stderr, passed.status], ['', 0])
    assert.deepEqual([failed.stderr, failed.status], ['the run failed outside of any test\n', 1])
  })

  it('counts neither skipped nor todo tests', (t) => {
    const { stdout, status } = run(
      t,
      `it.skip('a [AA-01]', () => {}); it.todo('b [AA-02]'); it('c [BB-01]', { todo: '' }, () => { throw new Error('x') })`,
    )

    assert.deepEqual(clausesOf(stdout), { 'AA-01': 'untested', 'AA-02': 'untested', 'BB-01': 'untested' })
    assert.equal(status, 0)
  })

  it('reads the clauses of every file that is named', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const beyond = join(folder, 'beyond.md')
    writeFileSync(beyond, '- CC-01 [fw] · Beyond.\n')

    const { stdout } = run(t, `it('a [CC-01]', () => {}); it('b [AA-01]', () => {})`, '--clauses', beyond)

    assert.deepEqual(clausesOf(stdout), {
      'AA-01': 'met',
      'AA-02': 'untested',
      'BB-01': 'untested',
      'CC-01': 'met',
    })
  })

  it('fails when a test of a clause fails', (t) => {
    const { stdout, status } = run(t, `it('a [AA-01]', () => { throw new Error('no') })`)

    assert.deepEqual(clausesOf(stdout), { 'AA-01': 'failing', 'AA-02': 'untested', 'BB-01': 'untested' })
    assert.equal(status, 1)
  })

  it('fails and says so when a title names a clause that does not exist', (t) => {
    const { stderr, status } = run(t, `it('slip [AA-77]', () => {})`)

    assert.match(stderr, /no such clause: AA-77 in "slip \[AA-77\]" \(.*one\.mjs:2\)/)
    assert.equal(status, 1)
  })

  it('fails and says so when a file cannot be loaded', (t) => {
    const { stdout, stderr, status } = run(t, 'not a program')

    assert.deepEqual(clausesOf(stdout), { 'AA-01': 'untested', 'AA-02': 'untested', 'BB-01': 'untested' })
    assert.match(stderr, /failed without naming a clause: .*one\.mjs/)
    assert.equal(status, 1)
  })
})
