import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAX_NORMALIZED_LENGTH } from 'sallyport-app/text'
import { normalizedLengths } from '../../../test/normalized-lengths.ts'
import { type KnownActor, maybeSamePerson } from '../actor.ts'

function operator(name: string): KnownActor {
  return { actor: `operator:${name}` }
}

const JOE: KnownActor = {
  actor: '1',
  names: ['Joe  Doe', 'j.doe@example.test', 'Joseph', 'joey@example.org'],
}

describe('whether two actors may be one person', () => {
  it('two operators whose names differ by case, white space, punctuation or Unicode form only [RA-2201]', () => {
    for (const [one, other] of [
      ['joe', ' JOE\t'],
      ['joe doe', 'Joe \u00a0 Doe'],
      ['joe doe', 'Joe.Doe'],
      ['joe@example.test', 'joe @example.test'],
      ['Jos\u00e9', 'Jose\u0301'],
      ['steffi', '\uff33te\ufb00i'],
      ['\u03a3\u03bf\u03c6\u03bf\u03c2', '\u03c3\u03bf\u03c6\u03bf\u03c3'],
      ['Strau\u00df', 'STRAUSS'],
      ['joe', 'jo\u200be\u00ad'],
    ] as const) {
      assert.equal(maybeSamePerson(operator(one), operator(other)), true, other)
      assert.equal(maybeSamePerson(operator(other), operator(one)), true, other)
    }
  })

  it('an operator who is called like the owner of an account, or its address, now or before [RA-2201]', () => {
    for (const name of ['joe doe', 'J.Doe', 'j.doe@EXAMPLE.test', 'joseph', 'Joey', 'joey@example.org']) {
      assert.equal(maybeSamePerson(operator(name), JOE), true, name)
      assert.equal(maybeSamePerson(JOE, operator(name)), true, name)
    }
  })

  it('not two operators of other names, nor an operator and an account that shares none, or is gone [RA-2201]', () => {
    assert.equal(maybeSamePerson(operator('joe'), operator('joel')), false)
    for (const name of ['joe', 'Joe Do', 'Josep'])
      assert.equal(maybeSamePerson(operator(name), JOE), false, name)
    assert.equal(maybeSamePerson(operator('example.test'), JOE), false)
    assert.equal(maybeSamePerson(operator('joe'), { actor: '2' }), false)
  })

  it('two accounts are two persons, whatever their owners are called [RA-2201]', () => {
    assert.equal(maybeSamePerson(JOE, { ...JOE, actor: '2' }), false)
    assert.equal(maybeSamePerson(JOE, JOE), true)
  })

  it('reads no name of an operator beyond what is normalized at once [MEND-01]', (test) => {
    const lengths = normalizedLengths(test)
    const name = 'a\u0316\u0301'.repeat(100_000)

    assert.equal(maybeSamePerson(operator('ada'), operator(name)), false)
    assert.ok(lengths.every((length) => length <= MAX_NORMALIZED_LENGTH))
  })
})
