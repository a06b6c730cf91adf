import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { emptyResponse, jsonResponse, redirectResponse, textResponse } from '../../src/http/internal.ts'

describe('textResponse()', () => {
  it('counts bytes, not characters', () => {
    assert.deepEqual(textResponse(200, 'é€😀', 'text/plain').headerLines(), [
      'content-type',
      'text/plain',
      'content-length',
      '9',
    ])
  })

  for (const status of [204, 304]) {
    it(`has neither body nor length with status ${status}, which allows no body`, () => {
      const response = textResponse(status, 'text', 'text/plain')

      assert.equal(response.payload, null)
      assert.deepEqual(response.headerLines(), [])
    })
  }
})

describe('textResponse()', () => {
  it('has no body with status 205, whose length is 0', () => {
    const response = textResponse(205, 'text', 'text/plain')

    assert.deepEqual([response.payload, response.headerLines()], [null, ['content-length', '0']])
  })

  it('says that its body is ASCII when it is', () => {
    assert.deepEqual(
      ['a', '', 'é'].map((text) => textResponse(200, text, 'text/plain').isAsciiText),
      [true, true, false],
    )
  })
})

describe('jsonResponse()', () => {
  it('refuses what JSON cannot represent', () => {
    assert.throws(() => jsonResponse(200, 5n), TypeError)
    assert.throws(() => jsonResponse(200, undefined), TypeError)
    assert.equal(jsonResponse(200, null).payload, 'null')
  })
})

describe('emptyResponse()', () => {
  it('announces the length of an empty body where one is allowed', () => {
    assert.equal(emptyResponse(204).header('content-length'), null)
    assert.equal(emptyResponse(304).header('content-length'), null)
    assert.equal(emptyResponse(404).header('content-length'), '0')
  })
})

describe('redirectResponse()', () => {
  it('leads to a path on this origin or an http URL, with a redirect status', () => {
    assert.deepEqual(redirectResponse('/a b', 303).headerLines(), [
      'location',
      '/a%20b',
      'content-length',
      '0',
    ])
    assert.throws(() => redirectResponse('//evil.test', 303), TypeError)
    assert.throws(() => redirectResponse('/a', 200), RangeError)
  })
})
