import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinedTexts } from 'sallyport-app/text'

describe('joinedTexts()', () => {
  it('joins the messages of all subjects, and refuses an identifier that two of them have', () => {
    const home = { 'home.title': 'Home' }

    assert.deepEqual(joinedTexts([home, { valueOf: 'Value' }]), { 'home.title': 'Home', valueOf: 'Value' })
    assert.throws(() => joinedTexts([home, { 'home.title': 'House' }]), /"home.title" is there twice/)
  })
})
