import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  argon2id,
  bcrypt as nameBcrypt,
  PASSWORD_ARGON2ID,
  PASSWORD_BCRYPT,
  PASSWORD_DEFAULT,
  type PasswordAlgorithm,
  PasswordHasher,
} from '../../src/auth/index.ts'
import { ServiceUnavailableException } from '../../src/http/index.ts'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'

const CHEAP_ARGON2 = { memoryCost: 64, timeCost: 1, parallelism: 1 } as const
const bcrypt = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 })
const argon2 = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP_ARGON2)
const PASSWORD = 'correct horse'

// Milliseconds of all threads: hashes are computed beside this one.
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('PasswordHasher', () => {
  it('is built without arguments; the default is argon2id with its own options [HASH-01 HASH-05 HASH-07 HASH-09]', async () => {
    const hash = await new PasswordHasher().hash(PASSWORD)

    assert.equal(PASSWORD_DEFAULT, PASSWORD_ARGON2ID)
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.equal(await new PasswordHasher().verify(PASSWORD, hash), true)
  })

  it('uses the algorithm and the options it was given, and the hash says so [HASH-06 HASH-08]', async () => {
    assert.match(await new PasswordHasher(PASSWORD_BCRYPT, { cost: 5 }).hash(PASSWORD), /^\$2[by]\$05\$/)
    assert.match(
      await new PasswordHasher(PASSWORD_ARGON2ID, { memoryCost: 128, timeCost: 3, parallelism: 2 }).hash(
        PASSWORD,
      ),
      /^\$argon2id\$v=19\$m=128,t=3,p=2\$/,
    )
    assert.match(
      await new PasswordHasher(PASSWORD_ARGON2ID, { ...CHEAP_ARGON2, timeCost: 4 }).hash(PASSWORD),
      /m=64,t=4,p=1/,
    )
  })

  it('creates another hash of the same password each time, and all verify [HASH-02]', async () => {
    const hashes = await Promise.all([1, 2, 3].map(() => bcrypt.hash(PASSWORD)))

    assert.equal(new Set(hashes).size, 3)
    for (const hash of hashes) assert.equal(await bcrypt.verify(PASSWORD, hash), true)
  })

  it('a failed call changes nothing for later ones [HASH-02]', async () => {
    const hash = await bcrypt.hash(PASSWORD)

    await assert.rejects(bcrypt.hash('x'.repeat(2000)))
    assert.equal(await bcrypt.verify('wrong', 'garbage'), false)

    assert.equal(await bcrypt.verify(PASSWORD, hash), true)
    assert.equal(bcrypt.needsRehash(hash), false)
  })

  it('does not follow options that the caller changes later', async () => {
    const options: { cost: number } = { cost: 4 }
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, options)
    options.cost = 5

    assert.match(await hasher.hash(PASSWORD), /^\$2[by]\$04\$/)
  })
})

describe('PasswordHasher.verify()', () => {
  for (const [name, hasher] of [
    ['bcrypt', bcrypt],
    ['argon2id', argon2],
  ] as const) {
    it(`is true for the password of a ${name} hash and false for any other [HASH-10]`, async () => {
      const hash = await hasher.hash(PASSWORD)

      assert.equal(await hasher.verify(PASSWORD, hash), true)
      for (const other of [
        '',
        'Correct horse',
        'correct horse ',
        'correct',
        `${PASSWORD}\0`,
        'x'.repeat(1025),
      ]) {
        assert.equal(await hasher.verify(other, hash), false, JSON.stringify(other))
      }
    })
  }

  it('takes algorithm and options from the hash: older policies still verify [HASH-11]', async () => {
    const old = await bcrypt.hash(PASSWORD)

    for (const policy of [new PasswordHasher(), argon2, new PasswordHasher(PASSWORD_BCRYPT, { cost: 6 })]) {
      assert.equal(await policy.verify(PASSWORD, old), true)
      assert.equal(await policy.verify('wrong', old), false)
    }
    assert.equal(await bcrypt.verify(PASSWORD, await argon2.hash(PASSWORD)), true)
  })

  it('verifies bcrypt hashes made elsewhere [HASH-11]', async () => {
    const hash = await bcrypt.hash(PASSWORD)

    for (const prefix of ['$2a$', '$2b$', '$2y$'])
      assert.equal(await argon2.verify(PASSWORD, prefix + hash.slice(4)), true)
  })

  it('reads parameters of several digits [HASH-11]', async () => {
    const hash = await new PasswordHasher(PASSWORD_ARGON2ID, {
      memoryCost: 88,
      timeCost: 10,
      parallelism: 11,
    }).hash(PASSWORD)

    assert.match(hash, /m=88,t=10,p=11/)
    assert.equal(await bcrypt.verify(PASSWORD, hash), true)
  })

  it('counts the length of a password in bytes: 1024 are accepted, one more is not', async () => {
    const hash = await argon2.hash('x'.repeat(1024))

    assert.equal(await argon2.verify('x'.repeat(1024), hash), true)
    await assert.rejects(argon2.hash('x'.repeat(1025)), RangeError)
    await assert.rejects(argon2.hash('é'.repeat(513)), RangeError)
    assert.equal(await argon2.verify('é'.repeat(513), null), false)
  })

  for (const wrong of [Buffer.from(PASSWORD), new Uint8Array(3), undefined, null, 5, [PASSWORD]]) {
    it(`refuses ${Object.prototype.toString.call(wrong)} instead of a password`, async () => {
      const hash = await bcrypt.hash(PASSWORD)
      const password = wrong as unknown as string

      for (const attempt of [
        () => bcrypt.verify(password, hash),
        () => bcrypt.verify(password, 'garbage'),
        () => bcrypt.verify(password, null),
        () => bcrypt.hash(password),
      ])
        await assert.rejects(attempt, /^TypeError: Cannot use a password that is not a string$/)
    })
  }

  it('a refusal without a hash keeps its slot in the queue until a hash is computed [R-33]', async () => {
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 11 }, { inFlight: 1, waiting: 0 })

    const nothing = hasher.verify(PASSWORD, null)
    await new Promise((resolve) => setImmediate(resolve))

    await assert.rejects(hasher.verify(PASSWORD, null), ServiceUnavailableException)
    assert.equal(await nothing, false)
  })

  it('distinguishes passwords by every byte of 1024', async () => {
    const long = 'é'.repeat(511) + 'xy'
    const hash = await argon2.hash(long)

    assert.equal(await argon2.verify(long, hash), true)
    assert.equal(await argon2.verify(`${long.slice(0, -1)}z`, hash), false)
  })

  for (const hash of [
    '',
    'plain',
    '$2b$04$short',
    `$2b$04$${'!'.repeat(53)}`,
    `$2b$31$${'a'.repeat(53)}`,
    `$2b$99$${'a'.repeat(53)}`,
    `$2b$03$${'a'.repeat(53)}`,
    '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$aGFzaA',
    '$argon2id$v=19$m=64,t=4294967295,p=1$c29tZXNhbHQ$aGFzaA',
    '$argon2id$v=19$m=64,t=1,p=1$x$y',
    '$argon2id$v=16$m=64,t=1,p=1$c29tZXNhbHQ$aGFzaA',
    '$argon2id$v=19$m=64,t=1,p=0$c29tZXNhbHQ$aGFzaA',
    '$argon2id$v=19$m=-1,t=1,p=1$c29tZXNhbHQ$aGFzaA',
    '$argon2id$',
    `$argon2id$v=19$m=64,t=1,p=1$${'A'.repeat(100_000)}$aGFzaA`,
    '\0',
  ]) {
    it(`is false for the unreadable hash ${JSON.stringify(hash.slice(0, 50))}, at the cost of the policy [HASH-10]`, async () => {
      const before = processorTime()

      assert.equal(await bcrypt.verify(PASSWORD, hash), false)

      // What these ask for takes minutes to years, or more memory than there is.
      assert.ok(processorTime() - before < onThisMachine(2000))
    })
  }

  for (const hash of [undefined, null, 5, {}]) {
    it(`is false for ${String(hash)} instead of a hash [HASH-10]`, async () => {
      assert.equal(await bcrypt.verify(PASSWORD, hash as unknown as string), false)
    })
  }

  for (const password of ['a\0b', 'x'.repeat(73), 'é'.repeat(37)]) {
    it(`is false for ${JSON.stringify(password.slice(0, 10))} (${password.length}), which bcrypt would truncate [R-32]`, async () => {
      const cut = await bcrypt.hash(password.slice(0, password.includes('\0') ? 1 : 36))

      assert.equal(await bcrypt.verify(password, cut), false)
      assert.equal(await bcrypt.verify(password, null), false)
    })
  }

  it('refuses a password that is too long without hashing [R-32]', async () => {
    const only = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP_ARGON2, { inFlight: 1, waiting: 0 })
    const hash = await only.hash(PASSWORD)

    // The one place is taken, so that whatever wants to be hashed is refused.
    const [first, ...others] = [only.verify(PASSWORD, hash), only.verify(PASSWORD, null)]
    const answers = [only.verify('x'.repeat(1025), hash), only.verify('x'.repeat(10_000_000), null)]
    const long = only.hash('x'.repeat(1025))

    for (const other of others) await assert.rejects(other, ServiceUnavailableException)
    await assert.rejects(long, RangeError)
    assert.deepEqual(await Promise.all([first, ...answers]), [true, false, false])
  })

  it('a password for no account costs what a wrong one costs [R-33]', async () => {
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 9 })
    const hash = await hasher.hash(PASSWORD)
    const costOf = async (work: () => Promise<boolean>): Promise<number> => {
      const before = processorTime()
      for (let i = 0; i < 8; i++) assert.equal(await work(), false)
      return processorTime() - before
    }

    const known = await costOf(() => hasher.verify('wrong', hash))
    const unknown = await costOf(() => hasher.verify('wrong', null))

    // Without the work the ratio is a thousand.
    assert.ok(unknown > known / 3 && unknown < known * 3, `${known} and ${unknown} ms of the processor`)
  })
})

describe('PasswordHasher with older policies', () => {
  const older = [nameBcrypt(4), nameBcrypt(9), nameBcrypt(9), nameBcrypt(9), argon2id(CHEAP_ARGON2)]
  const migrating = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP_ARGON2, { accepts: older })
  const bcrypt9 = new PasswordHasher(PASSWORD_BCRYPT, { cost: 9 })

  async function costOf(work: () => Promise<unknown>): Promise<number> {
    const before = processorTime()
    for (let i = 0; i < 8; i++) await work()
    return processorTime() - before
  }

  it('a refusal costs a hash of each of them, a correct password only its own [HOLD-23]', async () => {
    const hash = await migrating.hash(PASSWORD)
    const one = await costOf(() => bcrypt9.hash(PASSWORD))

    const unknown = await costOf(() => migrating.verify(PASSWORD, null))
    const wrong = await costOf(() => migrating.verify('wrong', hash))
    const right = await costOf(() => migrating.verify(PASSWORD, hash))

    for (const refused of [unknown, wrong])
      assert.ok(refused > 0.7 * one && refused < 2 * one, `${refused} beside ${one} ms of the processor`)
    assert.ok(right < one / 3, `${right} beside ${one} ms of the processor`)
  })

  it('verifies by the hash, whether or not its policy is declared [HOLD-23]', async () => {
    for (const hasher of [bcrypt, bcrypt9, argon2, new PasswordHasher(PASSWORD_BCRYPT, { cost: 5 })]) {
      const hash = await hasher.hash(PASSWORD)

      assert.equal(await migrating.verify(PASSWORD, hash), true)
      assert.equal(await migrating.verify('wrong', hash), false)
    }
    assert.equal(await migrating.verify(PASSWORD, undefined), false)
  })

  it('a hash of no declared policy is reported when its password is refused, by its parameters only [HOLD-23]', async (t) => {
    const heard: unknown[] = []
    const listener = (message: unknown): void => void heard.push(message)
    subscribe('sallyport:undeclared-hash', listener)
    t.after(() => unsubscribe('sallyport:undeclared-hash', listener))

    for (const hash of [await bcrypt.hash(PASSWORD), await argon2.hash(PASSWORD), 'garbage', null])
      await migrating.verify('wrong', hash)
    const undeclared = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 5 }).hash(PASSWORD)
    await migrating.verify(PASSWORD, undeclared)
    await migrating.verify('wrong', undeclared)

    assert.deepEqual(heard, [{ algorithm: 'bcrypt', options: { cost: 5 } }])
  })

  it('a hash that was not computed is not reported, and costs as much as any refusal [HOLD-23]', async (t) => {
    const heard: unknown[] = []
    const listener = (message: unknown): void => void heard.push(message)
    subscribe('sallyport:undeclared-hash', listener)
    t.after(() => unsubscribe('sallyport:undeclared-hash', listener))
    const undeclared = await new PasswordHasher(PASSWORD_BCRYPT, { cost: 5 }).hash(PASSWORD)
    const hash = await bcrypt9.hash(PASSWORD)

    for (const password of ['x'.repeat(73), 'a\0b']) await migrating.verify(password, undeclared)
    const known = await costOf(() => bcrypt9.verify('wrong', hash))
    const tooLong = await costOf(() => bcrypt9.verify('x'.repeat(73), hash))

    assert.deepEqual(heard, [])
    assert.ok(tooLong > known / 3, `${tooLong} beside ${known} ms of the processor`)
  })

  it('does not follow a list that the caller changes later [HOLD-23]', async () => {
    const accepts = [nameBcrypt(4)]
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }, { accepts })
    accepts.push({ algorithm: 'md5' as PasswordAlgorithm, options: {} })

    assert.equal(await hasher.verify(PASSWORD, null), false)
  })

  it('a refusal takes one slot of the queue, however many policies there are [R-30]', async () => {
    const settings = { inFlight: 1, waiting: 1, accepts: older }
    const hasher = new PasswordHasher(PASSWORD_ARGON2ID, CHEAP_ARGON2, settings)

    const outcomes = await Promise.allSettled([1, 2, 3].map(() => hasher.verify(PASSWORD, null)))

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected'],
    )
  })

  it('a bcrypt hash whose salt no encoder writes costs as much as any refusal [HASH-10]', async () => {
    const hash = await bcrypt9.hash(PASSWORD)
    const odd = `${hash.slice(0, 28)}/${hash.slice(29)}`

    const known = await costOf(() => bcrypt9.verify('wrong', hash))
    const broken = await costOf(() => bcrypt9.verify(PASSWORD, odd))

    assert.ok(broken > known / 3, `${broken} beside ${known} ms of the processor`)
  })
})

describe('PasswordHasher with a wrong setting', () => {
  for (const [what, accepts] of [
    ['a name', 'bcrypt'],
    ['null', null],
    ['a policy outside a list', nameBcrypt(4)],
    ['a list with a gap', [nameBcrypt(4), undefined]],
    ['null in a list', [null]],
    ['a name in a list', ['bcrypt']],
    ['a function in a list', [nameBcrypt]],
    ['a policy without options', [{ algorithm: 'bcrypt' }]],
    ['a policy without an algorithm', [{ options: { cost: 4 } }]],
    ['a policy whose algorithm is no name', [{ algorithm: 1, options: {} }]],
  ] as const) {
    it(`refuses ${what} as older policies, and says what to pass [HOLD-35]`, () => {
      assert.throws(() => new PasswordHasher(PASSWORD_BCRYPT, {}, { accepts: accepts as never }), {
        name: 'TypeError',
        message: /^Cannot accept hashes of .+: pass a list such as \[bcrypt\(12\)\]/,
      })
    })
  }

  it('names the settings that there are [HOLD-35]', () => {
    const settings = { inflight: 1 } as object

    assert.throws(
      () => new PasswordHasher(PASSWORD_BCRYPT, {}, settings),
      /"inflight" .*PasswordHasher.*accepts.*inFlight.*waiting.*waitMilliseconds/,
    )
  })
})

describe('PasswordHasher.needsRehash()', () => {
  it('is false for a hash of the same policy [HASH-13]', async () => {
    assert.equal(bcrypt.needsRehash(await bcrypt.hash(PASSWORD)), false)
    assert.equal(argon2.needsRehash(await argon2.hash(PASSWORD)), false)
    assert.equal(new PasswordHasher().needsRehash(await new PasswordHasher().hash(PASSWORD)), false)
  })

  it('is true when algorithm or any option differs [HASH-12]', async () => {
    const [b, a] = [await bcrypt.hash(PASSWORD), await argon2.hash(PASSWORD)]

    assert.equal(argon2.needsRehash(b), true)
    assert.equal(bcrypt.needsRehash(a), true)
    assert.equal(new PasswordHasher(PASSWORD_BCRYPT, { cost: 5 }).needsRehash(b), true)
    for (const change of [{ memoryCost: 65 }, { timeCost: 2 }, { parallelism: 2 }]) {
      assert.equal(new PasswordHasher(PASSWORD_ARGON2ID, { ...CHEAP_ARGON2, ...change }).needsRehash(a), true)
    }
    assert.equal(argon2.needsRehash(a.replace('$argon2id$', '$argon2i$')), true)
  })

  it('is true for a hash with a prefix or suffix [HASH-12]', async () => {
    for (const hasher of [bcrypt, argon2]) {
      const hash = await hasher.hash(PASSWORD)
      for (const other of [` ${hash}`, `${hash} `, `${hash}\n`])
        assert.equal(hasher.needsRehash(other), true, JSON.stringify(other))
    }
  })

  for (const hash of [
    '',
    'plain',
    '$2b$04$short',
    '$argon2id$v=19$m=4294967295,t=1,p=1$c29tZXNhbHQ$aGFzaA',
  ]) {
    it(`is true for the unreadable hash ${JSON.stringify(hash)} [HASH-12]`, () => {
      assert.equal(bcrypt.needsRehash(hash), true)
    })
  }
})

describe('passwords in errors', () => {
  it('no error shows the password, in message, stack or inspection [HASH-17]', async () => {
    const canary = 'hunter2-canary'
    const failures: unknown[] = []
    const attempts = [
      () => bcrypt.hash(`${canary}\0`),
      () => bcrypt.hash(canary.repeat(10)),
      () => argon2.hash(canary.repeat(100)),
      () => new PasswordHasher('md5' as PasswordAlgorithm).hash(canary),
      () => new PasswordHasher('md5' as PasswordAlgorithm).verify(canary, 'x'),
      () => new PasswordHasher(PASSWORD_BCRYPT, { cost: 99 }).hash(canary),
      () => bcrypt.hash([canary] as unknown as string),
      () => bcrypt.verify({ canary } as unknown as string, 'x'),
      () => bcrypt.verify(new String(canary) as string, null),
    ]
    for (const attempt of attempts) {
      await attempt().then(
        () => assert.fail('it was accepted'),
        (error: unknown) => failures.push(error),
      )
    }

    for (const failure of failures) {
      const shown = `${inspect(failure, { showHidden: true, depth: 9 })}${failure instanceof Error ? failure.stack : ''}`
      assert.doesNotMatch(shown, /hunter2/)
    }
    assert.doesNotMatch(inspect(bcrypt, { showHidden: true, depth: 9 }), /hunter2/)
  })

  it('a failure inside the native code does not show it either [HASH-17]', async () => {
    const hash = '$argon2id$v=19$m=64,t=1,p=1$x$y'

    assert.equal(await argon2.verify('hunter2-canary', hash), false)
  })
})

describe('a flood of logins', () => {
  it('of one client delays another by at most two hashes, with 1,000 waiting [MEND-06]', async () => {
    const limits = { inFlight: 1, waiting: 1000, waitMilliseconds: 3_600_000 }
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }, limits)
    const hash = await hasher.hash(PASSWORD)
    let done = 0
    const flood = Array.from({ length: 1000 }, (_, i) =>
      (i % 2 === 0 ? hasher.verify('wrong', hash, { client: 'a' }) : hasher.hash('x', { client: 'a' })).then(
        () => void done++,
      ),
    )

    await hasher.verify(PASSWORD, hash, { client: 'b' })
    const before = done
    await Promise.all(flood)

    assert.ok(before <= 2, `${before} hashes came first`)
    assert.equal(done, 1000)
  })

  it('is told apart by text alone: anything else in place of the client is refused [MEND-06]', async () => {
    for (const options of [{ client: 5 }, { client: null }, { clint: 'a' }, null, 'a']) {
      await assert.rejects(bcrypt.hash(PASSWORD, options as never), TypeError)
      await assert.rejects(bcrypt.verify(PASSWORD, null, options as never), TypeError)
    }
  })

  it('beyond the slots and the queue callers get a 503, for known and unknown accounts alike [R-30]', async () => {
    const hasher = new PasswordHasher(PASSWORD_BCRYPT, { cost: 4 }, { inFlight: 1, waiting: 1 })
    const hash = await hasher.hash(PASSWORD)

    const outcomes = await Promise.allSettled([
      hasher.verify(PASSWORD, hash),
      hasher.verify(PASSWORD, hash),
      hasher.verify(PASSWORD, hash),
      hasher.verify(PASSWORD, null),
      hasher.verify(PASSWORD, 'garbage'),
    ])

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
    )
    for (const outcome of outcomes.slice(2)) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ServiceUnavailableException)
    }
    assert.equal(await hasher.verify(PASSWORD, hash), true)
  })
})
