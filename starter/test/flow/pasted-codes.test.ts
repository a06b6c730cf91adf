import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WITH_CODE, DOORS_OF_PARTS } from '../crash/deeds.ts'
import { ofParts } from '../facts-of-parts.ts'
import { World } from '../support.ts'

// As it is copied from a mail, a chat or a page that is written from right to left, in the digits of another script. The unit tests
// of `typedCode` have all of that.
function pasted(code: string): string {
  const shape = `\u2066 ${code.slice(0, 3)}\u2011\u00a0${code.slice(3).toLowerCase()}\n\uFEFF`
  return shape.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
}

const TYPED = DOORS_OF_PARTS.filter(({ name }) => 'code' in (ofParts('doors')[name]?.wrong ?? {}))

describe('a right code, as it is pasted', () => {
  for (const { name, prepare, act } of [...WITH_CODE, ...TYPED])
    it(`is read wherever one is asked for: ${name} [MEND-13 RA-2806]`, async (test) => {
      const world = await World.create(test, ofParts('settings'))
      const { browser, facts } = await prepare(world)
      const { code = '' } = facts

      const page = await act(browser, { ...facts, code: pasted(code) }, world)

      assert.ok(page?.status === 303 || page?.status === 200, String(page?.status))
      assert.doesNotMatch(page.location ?? '', /^\/login/)
    })
})
