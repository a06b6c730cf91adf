import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressIn, parseOwners, parseRedirection, urlOf } from '../../src/session/redis-topology.ts'

const ASKED = '10.0.0.1:7000'

describe('parseRedirection()', () => {
  it('tells a slot that has moved from one that is on its way [ACCT-06]', () => {
    const moved = new Error('MOVED 3999 10.0.0.2:7001')

    assert.deepEqual(parseRedirection(moved, ASKED), { kind: 'moved', address: '10.0.0.2:7001' })
    assert.deepEqual(parseRedirection(new Error('ASK 3999 fe80::2:7001'), ASKED), {
      kind: 'ask',
      address: 'fe80::2:7001',
    })
  })

  it('takes the host of the node that was asked when none is named [ACCT-06]', () => {
    assert.equal(parseRedirection(new Error('MOVED 1 :7001'), ASKED)?.address, '10.0.0.1:7001')
    assert.equal(parseRedirection(new Error('MOVED 1 ?:7001'), ASKED)?.address, '10.0.0.1:7001')
  })

  for (const error of [
    null,
    'MOVED 1 a:1',
    new Error('MOVED'),
    new Error('NOT MOVED 1 a:1'),
    new Error('ASK x a:1'),
  ]) {
    it(`is null for ${String(error)}`, () => {
      assert.equal(parseRedirection(error, ASKED), null)
    })
  }
})

describe('parseOwners()', () => {
  it('gives the master of each slot [ACCT-06]', () => {
    const owners = parseOwners(
      [
        [0, 2, ['10.0.0.2', 7001, 'id', []], ['10.0.0.3', 7002, 'id', []]],
        [5, 5, [null, 7003, 'id']],
        [6, 16_383, ['', 7004, 'id']],
      ],
      ASKED,
    )

    assert.deepEqual(owners.slice(0, 3), ['10.0.0.2:7001', '10.0.0.2:7001', '10.0.0.2:7001'])
    assert.equal(owners[3], undefined)
    assert.deepEqual(
      [owners[5], owners[6], owners[16_383]],
      ['10.0.0.1:7003', '10.0.0.1:7004', '10.0.0.1:7004'],
    )
    assert.equal(owners.length, 16_384)
  })

  for (const answer of [
    null,
    'x',
    [1],
    [[0, 1]],
    [['a', 1, ['h', 1]]],
    [[0, 16_384, ['h', 1]]],
    [[-1, 2, ['h', 1]]],
  ]) {
    it(`refuses ${JSON.stringify(answer)}`, () => {
      assert.throws(() => parseOwners(answer, ASKED), TypeError)
    })
  }
})

describe('the URL of a node', () => {
  it('has the scheme, user and password of the given one [ACCT-06]', () => {
    assert.equal(urlOf('rediss://ada:s%3A@first:7000', '10.0.0.2:7001'), 'rediss://ada:s%3A@10.0.0.2:7001')
    assert.equal(urlOf('redis://first', 'fe80::2:7001'), 'redis://[fe80::2]:7001')
    assert.equal(urlOf('redis://first', '[fe80::2]:7001'), 'redis://[fe80::2]:7001')
  })

  it('gives its address [ACCT-06]', () => {
    assert.equal(addressIn('redis://ada:x@first:7000'), 'first:7000')
    assert.equal(addressIn('redis://first'), 'first:6379')
    assert.equal(addressIn('redis://[fe80::2]:7001'), '[fe80::2]:7001')
  })
})
