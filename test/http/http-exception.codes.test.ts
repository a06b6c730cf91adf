import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readFiles } from '../architecture/project.ts'

// What is no answer to a request has no status, and codes of its own.
const WITHOUT_STATUS = /^ERR_(?:AUTH_ANONYMOUS|CONTAINER|INTERNAL|SESSION_STORE_[A-Z]+)$/

function codesIn(text: string): string[] {
  return [...text.matchAll(/'(ERR_[A-Z_]+)'/g)].map(([, code = '']) => code)
}

describe('HttpErrorCode', () => {
  it('is every code that the framework refuses a request with, and no other', () => {
    const files = readFiles('src')
    const declaration = /export type HttpErrorCode =([^]*?)\n\n/
    const declared = files.flatMap(({ text }) => codesIn(declaration.exec(text)?.[1] ?? ''))

    const used = files.flatMap(({ text }) => codesIn(text.replace(declaration, '')))

    const refusing = new Set(used.filter((code) => !WITHOUT_STATUS.test(code)))
    assert.deepEqual(declared, [...refusing].toSorted())
  })
})
