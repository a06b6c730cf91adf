import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { upload } from 'sallyport/routing'
import { z } from 'zod'

const Fields = z.object({})

function declare(options: unknown): () => void {
  return () => void upload(Fields, options as Parameters<typeof upload>[1])
}

describe('UploadRules', () => {
  it('refuses a declaration without limits that make sense [PAGE-06]', () => {
    const types = ['image/png']
    for (const options of [
      {},
      { files: {} },
      { files: { picture: {} } },
      { files: { picture: { types: [] } } },
      { files: { picture: { types: 'image/png' } } },
      { files: { picture: { types: ['png'] } } },
      { files: { picture: { types, size: 1 } } },
      { files: { picture: { types } }, storage: class {} },
      { files: { picture: { types } }, limit: 1 },
    ])
      assert.throws(declare(options), TypeError, JSON.stringify(options))
    for (const rule of [{ maxBytes: 0 }, { maxBytes: 1.5 }, { maxFiles: 0 }, { maxFiles: Infinity }])
      assert.throws(declare({ files: { picture: { types, ...rule } } }), RangeError, JSON.stringify(rule))
    declare({ files: { picture: { types, maxBytes: 1, maxFiles: 2, optional: true } } })()
  })

  it('refuses a type that no file is ever told to have, and names what may be meant [PAGE-06]', () => {
    const mistakes = [
      ['image/jpg', /write "image\/jpeg"/],
      ['text/csv', /write "text\/plain"/],
      ['image/svg+xml', /write "text\/plain"/],
      ['application/msword', /write "application\/x-cfb"/],
      ['image/pgn', /write "image\/png"/],
      ['example/unheard-of-anywhere', /declare the type that is detected/],
    ] as const
    for (const [type, advice] of mistakes) {
      const files = { letter: { types: ['image/png', type] } }
      assert.throws(declare({ files }), { name: 'RangeError', message: advice })
      assert.throws(declare({ files }), (error: Error) => error.message.includes(`"${type}"`))
    }
    // Each of a list is looked at, and the message names the wrong one.
    const files = { letter: { types: ['image/png', 'image/*'] } }
    assert.throws(declare({ files }), { name: 'TypeError', message: /Cannot use "image\/\*" as a type/ })
    declare({ files: { letter: { types: ['text/plain', 'application/octet-stream', 'video/mp4'] } } })()
  })

  it('takes the name of a field as the form has it, once [PAGE-06]', () => {
    const field = { types: ['image/png'] }
    declare({ files: { 'photos[]': field } })()
    assert.throws(declare({ files: { 'photos[]': field, photos: field } }), /both are the same field/)
  })

  it('refuses a limit of all files that makes no sense [PAGE-06]', () => {
    const files = { photos: { types: ['image/png'] } }
    for (const maxTotalBytes of [0, -1, 1.5, '1', Infinity])
      assert.throws(declare({ files, maxTotalBytes }), RangeError)
    declare({ files, maxTotalBytes: 1 })()
  })
})
