import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { loadPlatformArgon2, loadScriptArgon2 } from '../../src/auth/argon2-string.ts'
import type { HashFunction, LoadHashFunction } from '../../src/auth/hash-function.ts'
import { firstThatWorks, hashFunction } from '../../src/auth/hash-loading.ts'
import { loadArgon2, loadBcrypt } from '../../src/auth/native-hashes.ts'
import type { PasswordParameters } from '../../src/auth/password-policy.ts'
import { loadScriptBcrypt } from '../../src/auth/script-bcrypt.ts'

const ARGON2ID = { algorithm: 'argon2id', memoryCost: 64, timeCost: 2, parallelism: 2 } as const
const BCRYPT = { algorithm: 'bcrypt', cost: 4 } as const
const PASSWORDS = ['right', '', 'pässwörd 😀', 'x'.repeat(72)]

const FAMILIES: readonly (readonly [string, PasswordParameters, readonly LoadHashFunction[]])[] = [
  ['argon2id', ARGON2ID, [loadArgon2, loadPlatformArgon2, loadScriptArgon2]],
  ['bcrypt', BCRYPT, [loadBcrypt, loadScriptBcrypt]],
]

// Of older applications: the password is `right`.
const IMPORTED = [
  '$argon2i$v=19$m=64,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$nwiMmVkaqG7DodlVDMwEHob24m32nocr6CegcAPB3pg',
  '$argon2d$v=19$m=64,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$pcsO4Fi1VppzFDC1cp5Rl2RnfBp/qdeWf9sqq2zVN88',
]

describe('the implementations of password hashes', () => {
  for (const [name, parameters, loaders] of FAMILIES) {
    it(`verify each other’s hashes of ${name} [HOST-07]`, async () => {
      const functions = await Promise.all(loaders.map((load) => load()))
      for (const writer of functions)
        for (const password of PASSWORDS) {
          const hash = await writer.hash(password, parameters)
          for (const reader of functions) {
            const pair = `${writer.implementation} read by ${reader.implementation}`
            assert.equal(await reader.verify(password, hash), true, pair)
            assert.equal(await reader.verify(`${password.slice(1)}!`, hash), false, pair)
          }
        }
    })

    it(`write strings of ${name} of the same form, with a new salt each time [HOST-07]`, async () => {
      for (const load of loaders) {
        const { hash } = await load()
        const [one, other] = [await hash('right', parameters), await hash('right', parameters)]
        assert.notEqual(one, other)
        assert.match(
          one,
          name === 'bcrypt'
            ? /^\$2[by]\$04\$[./A-Za-z0-9]{53}$/
            : /^\$argon2id\$v=19\$m=64,t=2,p=2\$[+/A-Za-z0-9]{22}\$[+/A-Za-z0-9]{43}$/,
        )
      }
    })
  }

  for (const load of [loadArgon2, loadPlatformArgon2, loadScriptArgon2]) {
    it(`reads hashes of argon2i and argon2d: ${load.name} [HOST-07]`, async () => {
      const { verify } = await load()
      for (const hash of IMPORTED) assert.equal(await verify('right', hash), true, hash)
    })

    it(`refuses a salt or digest that is too short or no base64: ${load.name} [HOST-07]`, async () => {
      const { verify } = await load()
      const start = '$argon2id$v=19$m=64,t=2,p=1$'
      const digest = 'A'.repeat(43)
      for (const end of [`AAAA$${digest}`, `${'A'.repeat(22)}$AAAA`, `${'A'.repeat(21)}B$${digest}A`])
        await assert.rejects(verify('right', start + end))
    })
  }
})

describe('firstThatWorks()', () => {
  const failing: LoadHashFunction = () => Promise.reject(new Error('not installed'))
  const broken: LoadHashFunction = () =>
    Promise.resolve<HashFunction>({
      implementation: 'native',
      hash: () => Promise.resolve('?'),
      verify: () => Promise.resolve(false),
    })

  it('finds out by calling, and passes over what is missing or broken [HOST-07]', async () => {
    const found = await firstThatWorks([failing, broken, loadScriptArgon2], ARGON2ID)

    assert.equal(found.implementation, 'script')
  })

  it('says what is missing when nothing works', async () => {
    await assert.rejects(firstThatWorks([failing], BCRYPT), {
      message: 'Cannot compute hashes of bcrypt here',
      errors: [new Error('not installed')],
    })
  })

  it('finds native code first on Node [HOST-07]', async () => {
    assert.equal((await hashFunction('argon2id')).implementation, 'native')
    assert.equal((await hashFunction('bcrypt')).implementation, 'native')
  })
})
