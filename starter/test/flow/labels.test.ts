import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { World } from '../support.ts'

const BAD: Readonly<Record<string, string>> = {
  'a control': 'Key\u0007',
  'a line break': 'Key\r\nSubject: x',
  'a line separator': 'Key\u2028x',
  'an override of direction': '\u202egnp.yek',
  'an isolate': '\u2066Key\u2069',
  'nothing that is seen': '\u200b\u200d\u2060',
}

const LABELLED = Object.entries(ofParts('guarded')).filter(([, fields]) => 'label' in fields)

describe('the name of a factor and what else an account has', () => {
  for (const [title, label] of Object.entries(BAD))
    it(`is refused with ${title}, and the page says what a name is [RA-1201]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada', { factor: 'enabled' })
      const browser = world.browser()
      await browser.signIn(ada)
      const [factor] = await world.identity.factors.list(ada.id)

      for (const path of [
        `/account/security/factors/${factor?.id}/rename`,
        '/account/security/add',
        ...LABELLED.map(([path]) => path),
      ]) {
        assert.equal((await browser.open(path)).status, 200, path)
        const given = Object.fromEntries(LABELLED)[path]
        const fields = { code: '000000', ...given, label }
        const { status, html } = await browser.submit(path, fields)
        assert.equal(status, 422, path)
        assert.match(html, /id="label-error"[^>]*>[^<]*Use letters or digits on one line/, path)
      }
      assert.deepEqual(await world.identity.factors.list(ada.id), [factor])
    })

  it('may have letters of any script, marks and emoji [RA-1201]', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada', { factor: 'enabled' })
    const browser = world.browser()
    await browser.signIn(ada)
    const [factor] = await world.identity.factors.list(ada.id)
    const path = `/account/security/factors/${factor?.id}/rename`
    for (const label of ['Schlüssel Nr. 1', 'مفتاح', '鍵 🔑', '👩‍💻']) {
      await browser.open(path)
      await browser.submit(path, { label })

      assert.equal((await world.identity.factors.list(ada.id))[0]?.label, label)
    }
  })
})
