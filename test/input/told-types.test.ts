import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { supportedMimeTypes } from 'file-type'
import { TOLD_TYPES } from '../../src/input/told-types.ts'

describe('the types that bytes can tell', () => {
  it('are those of file-type', () => {
    assert.deepEqual([...TOLD_TYPES], [...supportedMimeTypes].toSorted())
  })
})
