import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fails, PageController, site } from '../fixture.ts'
import { Pattern } from '../../../src/routing/table/pattern.ts'

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
      assert.throws(() => new Pattern(path, {}), fails('invalid-pattern', path), path)
      assert.throws(
        () => site((r) => r.get(path, [PageController, 'index'])).match('GET', '/'),
        fails('invalid-pattern', 'module "Site"'),
      )
    }
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

  it('TABLE-23: erases placeholder names and keeps constraints', () => {
    const key = (path: string, where: Record<string, string> = {}): string => new Pattern(path, where).key

    assert.equal(key('/a/{x}'), key('/a/{y}/'))
    assert.notEqual(key('/a/{x}'), key('/a/{x}', { x: 'b' }))
    assert.notEqual(key('/a/{x}'), key('/a/x'))
    assert.equal(key('/{a}-{b}.x'), key('/{c}-{d}.x'))
    assert.notEqual(key('/{a}', { a: '.*' }), key('/{a}'))
  })
})
