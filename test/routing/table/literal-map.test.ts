import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { LiteralReader } from '../../../src/routing/table/literal-map.ts'
import { SegmentNode } from '../../../src/routing/table/segment-node.ts'

// fast-check prints the seed of a failing run; this takes it back.
const GIVEN_SEED = process.env['FUZZ_SEED']
const REPLAY = GIVEN_SEED === undefined ? {} : { seed: Number(GIVEN_SEED) }

function reader(limit: number): LiteralReader {
  return { limit, end: -1, mayDiffer: false, known: 0 }
}

function nodeOf(...literals: string[]): SegmentNode {
  const node = new SegmentNode()
  for (const text of literals) node.follow(new SegmentNode(text))
  return node
}

/** The literal that the segment behind the first one of `/x/segment` is, or null, and what the reader was told. */
function read(node: SegmentNode, segment: string, behind = '/rest'): LiteralReader & { text: string | null } {
  const path = `/x/${segment}${behind}`
  const told = reader(path.length)
  const found = node.advance(told, path, 2)
  return { ...told, text: found === null ? null : found.text }
}

describe('LiteralNode.advance()', () => {
  it('finds each of many literals, and nothing else', () => {
    const letters = fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      'i',
      '-',
      '.',
      ' ',
      '!',
      '~',
      'é',
      'ヂ',
      '\u{1f600}',
      '\u007f',
    )
    const texts = fc.array(letters, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.uniqueArray(texts, { maxLength: 40 }),
        fc.array(texts, { maxLength: 20 }),
        (held, others) => {
          const node = nodeOf(...held)

          for (const text of [...held, ...others]) {
            const expected = held.includes(text) ? text : null
            assert.equal(read(node, text).text, expected)
            assert.equal(read(node, text, '').text, expected)
          }
        },
      ),
      REPLAY,
    )
  })

  it('leads to the node that was made for the literal', () => {
    const node = new SegmentNode()
    const [one, two] = ['one', 'two'].map((text) => node.follow(new SegmentNode(text)))

    assert.equal(node.follow(new SegmentNode('one')), one)
    assert.notEqual(one, two)
    assert.equal(node.advance(reader(4), '/two', 0), two)
  })

  it('reads to the next slash, or to where the path ends', () => {
    const node = nodeOf('one')

    assert.equal(read(node, 'one').end, 6)
    assert.equal(read(node, 'one', '').end, 6)
    assert.equal(read(node, 'only').end, 7)
    const shorter = reader(4)
    assert.notEqual(node.advance(shorter, '/one/', 0), null)
    assert.equal(shorter.end, 4)
  })

  for (const [one, other] of [
    ['a'.repeat(9), `b${'a'.repeat(8)}`],
    [`a${'x'.repeat(9)}`, `c${'x'.repeat(9)}`],
    [`a${'x'.repeat(20)}`, `c${'x'.repeat(20)}`],
    [`aa${'x'.repeat(9)}`, `ac${'x'.repeat(9)}`],
    ['ab', 'a\u30e2'],
    [`x${'ab'.repeat(5)}`, `x${'ab'.repeat(4)}a\u30e2`],
    ['ab', 'aab'],
    ['aaaaaaaaaa', 'aaaaaaaaaaa'],
  ] as const) {
    it(`tells "${one}" and "${other}" apart`, () => {
      assert.equal(read(nodeOf(one), other).text, null)
      assert.equal(read(nodeOf(other), one).text, null)
      assert.equal(read(nodeOf(one, other), one).text, one)
      assert.equal(read(nodeOf(one, other), other).text, other)
    })
  }
})
