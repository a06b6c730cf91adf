import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { type Banner, type BannerPlaces, bannerText } from '../../src/program/banner.ts'

const PLACES: BannerPlaces = { url: 'https://app.test', listensOn: 'https://app.test', data: '/data' }

function text(banner: Partial<Banner>, places: Partial<BannerPlaces> = {}): string {
  return stripVTControlCharacters(
    bannerText({ name: 'App', ...banner }, { ...PLACES, ...places }, process.stdout),
  )
}

describe('bannerText()', () => {
  it('says where the application and its data are, and how it stops', () => {
    assert.equal(text({}), '\n  App: https://app.test\n  Data: /data\n\n  Press Ctrl+C to stop.\n\n')
  })

  it('names the address that it listens on where another one is opened', () => {
    assert.match(
      text({}, { listensOn: 'http://0.0.0.0:3000' }),
      /^ {2}Listening on: http:\/\/0\.0\.0\.0:3000$/m,
    )
  })

  it('has what may be tall above the rest, and notes below it', () => {
    const lines = text({ above: ['██'], notes: [['Sign up', '  here'], ['Look']] })

    assert.match(
      lines,
      /^\n██\n\n {2}App: [^]*\n {2}Data: [^]*\n\n {2}Sign up\n {4}here\n\n {2}Look\n\n {2}Press Ctrl\+C/,
    )
  })
})
