import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operatorOf } from '../../../core/audit/operator.ts'
import { type KnownActor, maybeSamePerson } from '../actor.ts'

function operator(name: string): KnownActor {
  return { actor: `operator:${name}` }
}

const JOE: KnownActor = {
  actor: '1',
  names: ['Joe  Doe', 'j.doe@example.test', 'Joseph', 'joey@example.org'],
}

describe('whether two actors may be one person', () => {
  for (const [kind, one, other] of [
    ['case', 'joe', 'JOE'],
    ['surrounding white space', 'joe', ' joe\t'],
    ['repeated white space', 'joe doe', 'Joe \u00a0 Doe'],
    ['missing white space', 'joe doe', 'JoeDoe'],
    ['a character that is not seen in its place', 'joe doe', 'joe\u200ddoe'],
    ['white space within an address', 'joe@example.test', 'joe @example.test'],
    ['punctuation', 'joe doe', 'joe.doe'],
    ['other punctuation', 'joe_doe', 'joe-doe'],
    ['the composition of letters', 'Jos\u00e9', 'Jose\u0301'],
    ['compatible forms', 'joe', '\uff2aoe'],
    ['ligatures', 'steffi', 'ste\ufb00i'],
    ['letters with two lower forms', '\u03a3\u03bf\u03c6\u03bf\u03c2', '\u03c3\u03bf\u03c6\u03bf\u03c3'],
    ['letters with two upper ones', 'Strau\u00df', 'STRAUSS'],
    ['characters that are not seen', 'joe', 'jo\u200be\u00ad'],
  ] as const)
    it(`two operators whose names differ by ${kind} only [RA-2201]`, () => {
      assert.equal(maybeSamePerson(operator(one), operator(other)), true)
      assert.equal(maybeSamePerson(operator(other), operator(one)), true)
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

  it('an operator is named in the trail as such, and an account is not [RA-2204]', () => {
    assert.deepEqual([operatorOf('operator:olga'), operatorOf('1')], ['olga', undefined])
  })
})
