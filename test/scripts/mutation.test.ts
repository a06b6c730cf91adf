import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Mutant } from '../../scripts/mutation/mutants.ts'
import { sample } from '../../scripts/mutation/mutants.ts'
import { type Judged, survivorKey, toText, type Verdict } from '../../scripts/mutation/report.ts'

const hundred = Array.from({ length: 100 }, (_, index) => index)

function judged(verdict: Verdict, parts: Partial<Mutant> = {}): Judged {
  const place = { id: '1', file: 'src/a.ts', line: 3, column: 7 }
  return { ...place, kind: 'BooleanLiteral', original: 'true', replacement: 'false', verdict, ...parts }
}

describe('sample()', () => {
  it('chooses the same ones for the same seed, others for another, none twice', () => {
    const one = sample(hundred, 0.25, 1)

    assert.deepEqual(sample(hundred, 0.25, 1), one)
    assert.notDeepEqual(sample(hundred, 0.25, 2), one)
    assert.equal(new Set(one).size, 25)
  })

  it('takes all for a share of 1, and at least one of some', () => {
    assert.deepEqual(
      sample(hundred, 1, 5).sort((a, b) => a - b),
      hundred,
    )
    assert.equal(sample(hundred, 0.001, 5).length, 1)
    assert.deepEqual(sample([], 0.5, 5), [])
  })
})

describe('the report of a mutation run', () => {
  it('counts by file, bounds the score of all, and shows survivors', () => {
    const text = toText(
      [
        judged('survived', { file: 'src/b.ts', original: 'a\n  b' }),
        judged('killed'),
        judged('stuck'),
        judged('unreached', { line: 2 }),
      ],
      10,
    )

    assert.deepEqual(text.split('\n'), [
      '  score  killed  stuck  survived  unreached  file',
      ' 66.7 %       1      1         0          1  src/a.ts',
      '  0.0 %       0      0         1          0  src/b.ts',
      ' 50.0 %       1      1         1          1  all',
      '95 % interval for all 10 mutants: 18.8 % to 81.2 %',
      'src/a.ts:2:7 BooleanLiteral unreached',
      '  - true',
      '  + false',
      'src/b.ts:3:7 BooleanLiteral survived',
      '  - a',
      '  -   b',
      '  + false',
    ])
  })

  it('is exact when all were tried', () => {
    assert.match(toText([judged('killed'), judged('survived')], 2), /all 2 mutants: 50\.0 % to 50\.0 %/)
  })

  it('recognizes a survivor even if its line has moved', () => {
    assert.equal(survivorKey(judged('survived')), survivorKey(judged('killed', { id: '9', line: 40 })))
    assert.notEqual(survivorKey(judged('survived')), survivorKey(judged('survived', { replacement: '0' })))
  })
})
