import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceOf, parseDevice } from 'sallyport-app/clients'
import { onThisMachine } from 'sallyport-app/testing'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0'
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const DEVICES: Readonly<Record<string, string>> = {
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0': 'Firefox/Linux',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`]: 'Chrome/Windows',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/129.0.0.0`]:
    'Microsoft Edge/Windows',
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`]: 'Chrome/Android',
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) ${APPLE} Version/17.6 Mobile/15E148 Safari/604.1`]:
    'Safari/iPhone',
  [`Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${APPLE} Version/16.6 Mobile/15E148 Safari/604.1`]:
    'Safari/iPad',
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/17.6 Safari/605.1.15`]: 'Safari/macOS',
}

describe('deviceOf()', () => {
  for (const [userAgent, device] of Object.entries(DEVICES)) {
    it(`names ${device} [RA-3102]`, () => {
      assert.equal(deviceOf(userAgent), device)
    })
  }

  it('knows nothing of a client that says nothing [RA-3102]', () => {
    for (const userAgent of [null, '', '  ', 'nonsense', '/', '{}'])
      assert.deepEqual(parseDevice(deviceOf(userAgent)), { browser: '', system: '' })
  })

  it('takes no name that the client made up [RA-1901 RA-2401]', () => {
    for (const words of ['Call 0900 to be safe/1.0 (Linux)', 'https://evil.test/ now', '<b>x</b>/1.0 y']) {
      assert.doesNotMatch(deviceOf(words), /0900|evil|<b>/)
    }
  })

  it('is bounded in length and time, whatever was sent [RA-1901]', () => {
    for (const piece of ['a', ' ', '(', 'Version/', 'Android x ', '0.', 'Mozilla/5.0 (', ';']) {
      const begun = performance.now()
      const device = deviceOf(piece.repeat(16_000))
      assert.ok(device.length <= 80)
      assert.ok(performance.now() - begun < onThisMachine(500), piece)
    }
  })
})
