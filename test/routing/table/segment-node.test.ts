import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SegmentNode, type SegmentReader } from '../../../src/routing/table/segment-node.ts'

// fast-check prints the seed of a failing run; this takes it back.
const GIVEN_SEED = process.env['FUZZ_SEED']
const REPLAY = GIVEN_SEED === undefined ? {} : { seed: Number(GIVEN_SEED) }

function reader(limit: number): SegmentReader {
  return { limit, end: -1, mayDiffer: false, known: 0 }
}

function nodeOf(...literals: string[]): SegmentNode {
  const node = new SegmentNode()
  for (const text of literals) node.literal(text)
  return node
}

/** The literal that the segment behind the first one of `/x/segment` is, or null, and what the reader was told. */
function read(node: SegmentNode, segment: string, behind = '/rest'): SegmentReader & { text: string | null } {
  const path = `/x/${segment}${behind}`
  const told = reader(path.length)
  const found = node.advance(told, path, 2)
  return { ...told, text: found === null ? null : found.text }
}

describe('SegmentNode.advance()', () => {
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
    const [one, two] = [node.literal('one'), node.literal('two')]

    assert.equal(node.literal('one'), one)
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

  for (const [segment, mayDiffer] of [
    ['abd', false],
    ['ab-d', false],
    ['ab.7', false],
    ['Abc', true],
    ['aBc', true],
    ['abC', true],
    ['abé', true],
    ['ébc', true],
    ['ábc', true],
  ] as const) {
    it(`says that "${segment}" ${mayDiffer ? 'may be' : 'is not'} another spelling`, () => {
      assert.equal(read(nodeOf('abc'), segment).mayDiffer, mayDiffer)
    })
  }

  for (const [segment, isKnown] of [
    ['abd', true],
    ['ab~', true],
    ['ab&', true],
    ['a&d', true],
    ['ab%', false],
    ['ab\u007f', false],
    ['abé', false],
    ['a%d', false],
  ] as const) {
    it(`${isKnown ? 'knows' : 'does not know'} that nothing in "${segment}" is encoded`, () => {
      const { end, known, text } = read(nodeOf('abc'), segment)

      assert.equal(text, null)
      assert.equal(known, isKnown ? end : 0)
    })
  }

  it('is told nothing new of a segment that it does not read', () => {
    const { end, known, mayDiffer } = read(nodeOf('abc'), 'def')

    assert.deepEqual([end, known, mayDiffer], [-1, 0, false])
    assert.equal(read(nodeOf('abc'), '').text, null)
    assert.equal(read(new SegmentNode(), 'abc').text, null)
  })
})

describe('SegmentNode', () => {
  const edge = (node: SegmentNode) =>
    ({ key: 'k', segment: { kind: 'placeholder', placeholders: [], texts: [] }, node }) as const
  const rest = (node: SegmentNode) => ({ key: 'k', constraint: null, node })

  it('knows which ways there are on', () => {
    const ways = (node: SegmentNode) => [node.isLiteral, node.isForked, node.isRest]
    const end = new SegmentNode()
    const bare = new SegmentNode()
    const literal = nodeOf('a')
    const free = new SegmentNode()
    free.placeholder()
    const constrained = new SegmentNode()
    constrained.addConstrained(edge(end))
    const rests = new SegmentNode()
    rests.addRest(rest(end))

    assert.deepEqual(ways(bare), [true, false, false])
    assert.deepEqual(ways(literal), [true, false, false])
    assert.deepEqual(ways(free), [false, false, false])
    assert.deepEqual(ways(constrained), [false, true, false])
    assert.deepEqual(ways(rests), [false, true, true])
  })

  it('has more than a rest as soon as another way is added, in any order', () => {
    const end = new SegmentNode()
    const additions: ((node: SegmentNode) => unknown)[] = [
      (node) => node.literal('a'),
      (node) => node.placeholder(),
      (node) => node.addConstrained(edge(end)),
    ]
    for (const add of additions) {
      const [before, behind] = [new SegmentNode(), new SegmentNode()]
      add(before)
      before.addRest(rest(end))
      behind.addRest(rest(end))
      add(behind)

      assert.deepEqual([before.isRest, before.isForked, before.isLiteral], [false, true, false])
      assert.deepEqual([behind.isRest, behind.isForked, behind.isLiteral], [false, true, false])
    }
  })

  it('keeps every way that was added', () => {
    const node = new SegmentNode()
    const ends = [new SegmentNode(), new SegmentNode()]
    for (const end of ends) {
      node.addConstrained(edge(end))
      node.addRest(rest(end))
    }

    assert.deepEqual(
      node.constrained.map((each) => each.node),
      ends,
    )
    assert.deepEqual(
      node.rests.map((each) => each.node),
      ends,
    )
    assert.equal(node.placeholder(), node.placeholder())
  })
})
