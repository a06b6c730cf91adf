import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fails, PageController, site } from '../fixture.ts'
import { inOneLine } from '../../../src/core/internal.ts'
import { Pattern, type PatternSegment } from '../../../src/routing/table/pattern.ts'

describe('Pattern', () => {
  it('refuses paths that no URL could have', () => {
    const bad = [
      'x',
      'x/y',
      '//',
      '/a//b',
      '//a',
      '/a/./b',
      '/..',
      '/a?b',
      '/a#b',
      '/a%20b',
      '/100%',
      '/a\\b',
      '/a\nb',
      '/\ud800',
      '/a\n{b}',
      '/{b}\ud800',
      '/\ud83d{a}\ude00',
    ]
    const braces = [
      '/{',
      '/}',
      '/{}',
      '/{a',
      '/a}',
      '/{a}{b}',
      '/{a b}',
      '/{1}',
      '/{a-b}',
      '/{a}/{a}',
      '/{{a}}',
      '/{é}',
    ]
    for (const path of [...bad, ...braces]) {
      assert.throws(() => new Pattern(path, {}), fails('invalid-pattern', inOneLine(path)), path)
      assert.throws(
        () => site((r) => r.get(path, [PageController, 'index'])).match('GET', '/'),
        fails('invalid-pattern', 'module "Site"'),
      )
    }
  })

  it('says what is wrong with a path', () => {
    const wrong: Record<string, string> = {
      x: 'start with "/"',
      '//': '"" cannot be a segment',
      '/a/..': '".." cannot be a segment',
      '/100%': '"%": write the character itself',
      '/a?b': '"?": it cannot be part of a path',
      '/{a}{b}': 'touch each other in "{a}{b}"',
      '/{a b}': '"{a b}": a placeholder is named with',
      '/{a}/{a}': 'two placeholders are named "a"',
      '/a/{b}/{b}': 'two placeholders are named "b"',
    }
    for (const [path, reason] of Object.entries(wrong))
      assert.throws(() => new Pattern(path, {}), fails('invalid-pattern', path, reason))
    assert.throws(
      () => new Pattern('/a', { b: 'x' }),
      fails('invalid-pattern', 'constrains "b", which the path does not contain'),
    )
    assert.throws(
      () => new Pattern('/{a}', { a: '(' }),
      fails('invalid-pattern', 'the constraint "(" of "a" in "/{a}": '),
    )
  })

  it('tells what is literal, a placeholder and the rest', () => {
    const kinds = (path: string, where: Record<string, string> = {}): string => {
      return new Pattern(path, where).segments.map(({ kind }) => kind).join(' ')
    }

    assert.equal(kinds(''), '')
    assert.equal(kinds('/'), '')
    assert.equal(kinds('/a/{b}/c.{d}'), 'literal placeholder placeholder')
    assert.equal(kinds('/a/{b}', { b: '.*' }), 'literal rest')
    assert.equal(kinds('/a/{b}', { b: '.+' }), 'literal rest')
    assert.equal(kinds('/a/{b}', { b: '[a-z]+/x' }), 'literal rest')
    assert.equal(kinds('/{b}/a', { b: '.*' }), 'placeholder literal')
    assert.equal(kinds('/a/x{b}', { b: '.*' }), 'literal placeholder')
  })

  it('says how specific each segment is', () => {
    const rank = (path: string, where: Record<string, string> = {}): string => new Pattern(path, where).rank

    assert.equal(rank(''), '')
    assert.equal(rank('/a/{b}/x{c}/{d}x/{e}-{f}'), '02111')
    assert.equal(rank('/{b}/{c}/{d}', { b: '[0-9]+', d: '.*' }), '123')
  })

  it('shares the segments that no constraint is for', () => {
    const known = new Map<string, PatternSegment>()
    const [one, other] = [new Pattern('/a/{b}', {}, known), new Pattern('/a/{b}/c', {}, known)]
    const constrained = new Pattern('/a/{b}', { b: '[0-9]+' }, known)
    const later = new Pattern('/{b}', {}, known)

    assert.equal(other.segments[0], one.segments[0])
    assert.equal(other.segments[1], one.segments[1])
    assert.notEqual(constrained.segments[1], one.segments[1])
    assert.equal(later.segments[0], one.segments[1])
  })

  it('erases placeholder names and keeps constraints [TABLE-23]', () => {
    const key = (path: string, where: Record<string, string> = {}): string => new Pattern(path, where).key

    assert.equal(key('/a/{x}'), key('/a/{y}/'))
    assert.notEqual(key('/a/{x}'), key('/a/{x}', { x: 'b' }))
    assert.notEqual(key('/a/{x}'), key('/a/x'))
    assert.equal(key('/{a}-{b}.x'), key('/{c}-{d}.x'))
    assert.notEqual(key('/{a}', { a: '.*' }), key('/{a}'))
    assert.notEqual(key('/{a}', { a: '.*' }), key('/{a}...'))
    assert.notEqual(key('/{a}', { a: 'x{2}-y{3}' }), key('/{a}-y{b}', { a: 'x{2', b: '3}' }))
  })
})
