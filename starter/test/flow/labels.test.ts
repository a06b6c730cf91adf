import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ofParts } from '../facts-of-parts.ts'
import { ADD, pathOf, SECURITY, signedIn } from './steps.ts'

const BAD: Readonly<Record<string, string>> = {
  'a control': 'Key\u0007',
  'a line break': 'Key\r\nSubject: x',
  'a line separator': 'Key\u2028x',
  'an override of direction': '\u202egnp.yek',
  'an isolate': '\u2066Key\u2069',
  'nothing that is seen': '\u200b\u200d\u2060',
}

describe('the name of a factor and what else an account has', () => {
  it('is refused with what nobody sees or what breaks a line, and may have letters of any script, marks and emoji [RA-1201 FACTOR-28]', async (test) => {
    const owner = await signedIn(test)
    const { world, browser, person } = owner
    const rename = await pathOf(owner, 'rename')
    const before = await world.identity.factors.list(person.id)
    const labelled = Object.entries(ofParts('guarded')).filter(([, fields]) => 'label' in fields)

    for (const [path, fields] of [[rename, {}], [ADD, { code: '000000' }], ...labelled] as const) {
      assert.equal((await browser.open(path)).status, 200, path)
      for (const [title, label] of Object.entries(BAD)) {
        const { status, html } = await browser.submit(path, { ...fields, label })
        assert.equal(status, 422, `${path}: ${title}`)
        assert.match(html, /id="label-error"[^>]*>[^<]*Use letters or digits on one line/, path)
      }
    }
    const long = await browser.submit(rename, { label: 'x'.repeat(61) })
    assert.equal(long.status, 422)
    assert.deepEqual(await world.identity.factors.list(person.id), before)
    for (const label of ['Schlüssel Nr. 1', 'مفتاح', '鍵 🔑', '👩‍💻']) {
      assert.equal((await browser.send(rename, { label: ` ${label}  ` })).location, SECURITY)
      assert.equal((await world.identity.factors.list(person.id))[0]?.label, label)
    }
    assert.match((await browser.open(rename)).html, /value="👩‍💻"/)
    assert.equal((await world.events(person)).at(-1), 'factor-renamed')
  })
})
