import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readFiles } from '../architecture/project.ts'
import { walk } from '../architecture/source-file.ts'

// Exceptions that are not a response have no status, and a union of codes of their own.
const WITHOUT_STATUS =
  /^ERR_(?:AUTH_ANONYMOUS|CONTAINER|INTERNAL|SESSION_STORE_[A-Z]+|VIEW_TEMPLATE|SQLITE_ERROR)$/

/** The codes in the code of the framework, comments left out: those of the union, and those of all other places. */
function readCodes(): { declared: string[]; used: Set<string> } {
  const declared: string[] = []
  const used = new Set<string>()
  for (const { program } of readFiles('src')) {
    walk(program, (node, ancestors) => {
      if (node.type !== 'Literal' || typeof node.value !== 'string' || !/^ERR_[A-Z_]+$/.test(node.value))
        return
      const isDeclaration = ancestors.some(
        (each) => each.type === 'TSTypeAliasDeclaration' && each.id.name === 'HttpErrorCode',
      )
      if (isDeclaration) declared.push(node.value)
      else used.add(node.value)
    })
  }
  return { declared, used }
}

describe('HttpErrorCode', () => {
  it('lists every code that the framework refuses a request with, and no other', () => {
    const { declared, used } = readCodes()

    const refusing = [...used].filter((code) => !WITHOUT_STATUS.test(code))
    assert.deepEqual(declared, refusing.toSorted())
  })
})
