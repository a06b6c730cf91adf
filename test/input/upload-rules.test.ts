import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { upload } from 'sallyport/routing'
import { z } from 'zod'

const Fields = z.object({})

function declare(options: unknown): () => void {
  return () => void upload(Fields, options as Parameters<typeof upload>[1])
}

describe('UploadRules', () => {
  it('PAGE-06: refuses a declaration without limits that make sense', () => {
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
})
