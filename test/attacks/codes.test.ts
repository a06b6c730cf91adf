import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TotpWindow } from './fixture/totp.ts'
import { World } from './fixture/world.ts'

async function isAccepted(world: World, code: string): Promise<boolean> {
  const ada = await world.pending('ada')
  const { status } = await ada.code(code)
  assert.equal(status === 303, (await ada.who()) === 'u1')
  return status === 303
}

describe('abuse of one-time codes', () => {
  it('a code counts once, from any browser [A-059]', async (test) => {
    const world = await World.create(test)
    const code = world.code('ada')
    assert.deepEqual([await isAccepted(world, code), await isAccepted(world, code)], [true, false])
  })

  it('a step before the last accepted one never counts [A-060]', async (test) => {
    const world = await World.create(test)
    assert.deepEqual(
      [await isAccepted(world, world.code('ada')), await isAccepted(world, world.code('ada', -1))],
      [true, false],
    )
    const other = await World.create(test)
    assert.equal(await isAccepted(other, other.code('ada', -1)), true, 'it is inside the window')
  })

  it('the step that matched is recorded, not the current one [A-061]', async (test) => {
    const world = await World.create(test)
    const codes = [0, 1, 2].map((steps) => world.code('ada', steps))
    assert.equal(await isAccepted(world, codes[1] ?? ''), true)
    assert.deepEqual(
      [await isAccepted(world, codes[0] ?? ''), await isAccepted(world, codes[1] ?? '')],
      [false, false],
    )
    world.clock.advance(30)
    assert.equal(await isAccepted(world, codes[2] ?? ''), true)
  })

  it('a malformed code is refused like a wrong one [A-062]', async (test) => {
    const world = await World.create(test, { limits: { perChallenge: 1000, perAccount: 1000 } })
    const ada = await world.pending('ada')
    await ada.get('/login/2fa')
    const code = world.code('ada')
    const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
    const arabic = [...code].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join('')
    const texts = [
      '',
      ` ${code}`,
      `${code} `,
      `${code}\n`,
      wide,
      arabic,
      `0${code}`,
      code.slice(0, 5),
      code.repeat(1667),
      `${code}\0`,
      `+${code}`,
      `${code}e0`,
    ]
    for (const text of texts)
      assert.equal((await ada.post('/login/2fa', { code: text })).status, 422, JSON.stringify(text))
    assert.equal((await ada.post('/login/2fa', { code: [code, code] })).status, 422)
    assert.equal((await ada.post('/login/2fa', { 'code[]': code })).status, 422)
    const headers = { 'x-csrf-token': ada.token }
    for (const value of [Number(code), null, { a: code }, true, [code], { length: 6 }]) {
      const answer = await ada.send('POST', '/login/2fa', { json: { code: value }, headers })
      assert.equal(answer.status, 422, JSON.stringify(value))
    }
    assert.equal(await ada.who(), null)
    assert.equal((await ada.code(code)).headers.get('location'), '/account')
  })

  it('a window larger than a neighboring step is refused at construction [A-063]', () => {
    for (const leeway of [30, 31, 1000, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.5])
      assert.throws(() => new TotpWindow(leeway), RangeError, String(leeway))
    assert.ok(new TotpWindow(29))
  })
})
