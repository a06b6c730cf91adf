import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World } from '../support.ts'

const DOOR = '/login/2fa'

describe('what is typed into the field of a code', () => {
  for (const [title, separator] of [
    ['tab', '\t'],
    ['no-break space', '\u00a0'],
    ['narrow no-break space', '\u202f'],
    ['hyphen', '-'],
    ['dash', '\u2013'],
    ['line feed', '\n'],
  ] as const)
    it(`is a code, pasted with a ${title}, and the page refuses no paste [RA-0401]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      await browser.password(ada)
      const { html } = await browser.open(DOOR)
      const code = await world.code(ada)

      const inside = await browser.submit(DOOR, {
        code: ` ${code.slice(0, 3)}${separator}${code.slice(3)}${separator}`,
      })

      assert.doesNotMatch(/<input[^>]*name="code"[^>]*>/.exec(html)?.[0] ?? 'pattern', /pattern/)
      assert.equal(inside.location, '/account')
    })
})
