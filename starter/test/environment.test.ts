import assert from 'node:assert/strict'
import { isAbsolute } from 'node:path'
import { describe, it } from 'node:test'
import { App } from 'sallyport'
import { serve } from 'sallyport/node'
import { readEnvironment, StartupError } from '../core/boot/environment.ts'
import { PARTS } from '../parts.ts'
import { serveOptionsOf } from '../core/boot/listening.ts'

const KEY = `${'ab'.repeat(31)}01`
const OLD_KEY = `${'cd'.repeat(31)}01`

describe('readEnvironment()', () => {
  it('listens on loopback, keeps its data beside the application and has a demo account by default', () => {
    const { keys, dataDirectory, ...rest } = readEnvironment({})

    assert.deepEqual(rest, {
      host: '127.0.0.1',
      port: 3000,
      isProduction: false,
      language: 'en',
      origin: undefined,
      basePath: '',
      hosts: [],
      trustedProxies: [],
      mail: undefined,
      ofParts: [],
      hasDemoAccount: true,
      warnings: [],
    })
    assert.equal(keys.length, 0)
    assert.ok(isAbsolute(dataDirectory) && dataDirectory.endsWith('/.data'))
  })

  it('takes what is set', () => {
    const environment = readEnvironment({
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: 'data',
      NODE_ENV: 'production',
      ORIGIN: 'https://app.example/',
      BASE_PATH: '/apps/accounts',
      HOSTS: 'www.app.example, 10.0.0.7,[fd00::7]:8080',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      FACTOR_KEY: `${KEY}, ${OLD_KEY}`,
      DEMO: '1',
    })

    const { host, port, dataDirectory, isProduction, keys, hasDemoAccount } = environment
    const { origin, hosts, trustedProxies } = environment
    assert.deepEqual([host, port, dataDirectory, isProduction], ['0.0.0.0', 0, 'data', true])
    assert.deepEqual([origin, hasDemoAccount], ['https://app.example', true])
    assert.equal(environment.basePath, '/apps/accounts')
    assert.deepEqual(hosts, ['www.app.example', '10.0.0.7', '[fd00::7]:8080'])
    assert.deepEqual(trustedProxies, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(
      keys.map((key) => key.reveal()),
      [KEY, OLD_KEY],
    )
  })

  it('reads an origin as browsers do: letter case, a default port and an international name do not matter [MEND-10]', () => {
    const origins = {
      'https://app.example:443': 'https://app.example',
      'HTTPS://App.Example/': 'https://app.example',
      'https://bücher.example': 'https://xn--bcher-kva.example',
      'http://localhost:80': 'http://localhost',
      'https://app.example:8443': 'https://app.example:8443',
    }

    for (const [ORIGIN, origin] of Object.entries(origins))
      assert.equal(readEnvironment({ ORIGIN }).origin, origin)
  })

  it('trusts browsers only where that is switched on, for 30 days or what is set [RA-1801]', () => {
    const daysOf = (variables: Readonly<Record<string, string>>): number | undefined =>
      readEnvironment(variables, PARTS).ofParts[0]?.settings.trustedDeviceDays

    assert.equal(daysOf({ TRUSTED_DEVICE_DAYS: '7' }), undefined)
    assert.equal(daysOf({ TRUSTED_DEVICES: '0' }), undefined)
    assert.equal(daysOf({ TRUSTED_DEVICES: '1' }), 30)
    assert.equal(daysOf({ TRUSTED_DEVICES: '1', TRUSTED_DEVICE_DAYS: '1' }), 1)
    assert.equal(daysOf({ TRUSTED_DEVICES: '1', TRUSTED_DEVICE_DAYS: '90' }), 90)
  })

  it('has no demo account in production unless it is asked for', () => {
    const production = { NODE_ENV: 'production', FACTOR_KEY: KEY }

    assert.equal(readEnvironment(production).hasDemoAccount, false)
    assert.equal(readEnvironment({ ...production, DEMO: '1' }).hasDemoAccount, true)
    assert.equal(readEnvironment({ ...production, DEMO: '0' }).hasDemoAccount, false)
  })

  it('has a demo account on a development machine unless it is switched off [RA-3203]', () => {
    assert.equal(readEnvironment({}).hasDemoAccount, true)
    assert.equal(readEnvironment({ DEMO: '1' }).hasDemoAccount, true)
    assert.equal(readEnvironment({ DEMO: '0' }).hasDemoAccount, false)
  })

  it('takes a sender with a name, and one without [MEND-14]', () => {
    const senderOf = (MAIL_FROM: string): unknown =>
      readEnvironment({ SMTP_URL: 'smtps://mail.example', MAIL_FROM }).mail?.from
    const address = 'accounts@app.example'

    assert.deepEqual(senderOf(address), { name: '', address })
    assert.deepEqual(senderOf(`Example App <${address}>`), { name: 'Example App', address })
    assert.deepEqual(senderOf('a@bücher.example'), { name: '', address: 'a@xn--bcher-kva.example' })
  })

  it('calls missing only what is missing, and tells the value of what is malformed [MEND-14]', () => {
    const malformed = { FACTOR_KEY: ' , ', SMTP_URL: ' ' }
    const messageOf = (variables: Readonly<Record<string, string>>): string => {
      try {
        readEnvironment({ NODE_ENV: 'production', ...variables }, PARTS)
      } catch (error) {
        assert.ok(error instanceof StartupError)
        return error.message
      }
      assert.fail('it is taken')
    }

    for (const [name, value] of Object.entries(malformed))
      assert.match(messageOf({ FACTOR_KEY: KEY, [name]: value }), new RegExp(`^${name} must be `))
    for (const [name, variables] of refused.filter(
      ([key, given]) => given[key] !== undefined && key !== 'FACTOR_KEY',
    )) {
      const message = messageOf({ FACTOR_KEY: KEY, ...variables })
      assert.doesNotMatch(message, /missing/)
      // Both may hold a password.
      if (!['SMTP_URL', 'ORIGIN'].includes(name))
        assert.ok(
          (variables[name] ?? '')
            .split(',')
            .some(
              (item) =>
                message.includes(JSON.stringify(item)) || message.includes(JSON.stringify(variables[name])),
            ),
          message,
        )
    }
  })

  // Each variable that is a URL, a list or a number: what a lenient parser takes.
  const nearlyRight: Readonly<Record<string, readonly string[]>> = {
    SMTP_URL: [
      'smtp://',
      'smtps://',
      'smtps:///mail.example',
      'smtp:mail',
      'smtp:user:short@mail.example',
      'smtp://a b',
    ],
    MAIL_FROM: ['Example App', ' '],
    ORIGIN: [
      'https://app.example//',
      'https://app.example/?',
      'https://app.example#',
      'https://@app.example',
      'https:app.example',
      'https:\\\\app.example',
      ' https://app.example',
      'https://app.example:99999',
    ],
    HOST: ['127.0.0.1/foo', 'user@localhost', 'a?b', 'a#b', '127.0.0.1\t', 'a\\b', '%31'],
    HOSTS: [',', ' ', 'www.app.example,', ',www.app.example', 'a.example,,b.example'],
    TRUSTED_PROXIES: [',', ' ', '127.0.0.1,', '127.0.0.1, ,::1'],
    FACTOR_KEY: [',', ' ', `${KEY},`, `,${KEY}`],
    PORT: ['0x50', '1e3', '80 ', '+80', '80.0', '٨٠'],
    TRUSTED_DEVICE_DAYS: ['0x10', '1e1', '5 ', ' 5', '+5', '1.0', '٥'],
  }
  const refused: readonly (readonly [name: string, variables: Readonly<Record<string, string>>])[] = [
    ['DEFAULT_LANGUAGE', { DEFAULT_LANGUAGE: 'fr' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example' }],
    ['SMTP_URL', { SMTP_URL: 'https://mail.example', MAIL_FROM: 'a@b.example' }],
    ['MAIL_FROM', { SMTP_URL: 'smtps://user:secret@mail.example' }],
    ['MAIL_FROM', { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'Example App' }],
    ['MAIL_FROM', { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@app.example, b@app.example' }],
    ['MAIL_FROM', { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'A <a@app.example> <b@app.example>' }],
    ['FACTOR_KEY', { NODE_ENV: 'production' }],
    ['FACTOR_KEY', { NODE_ENV: 'production', FACTOR_KEY: ' , ' }],
    ['FACTOR_KEY', { FACTOR_KEY: 'short' }],
    ['FACTOR_KEY', { FACTOR_KEY: '00'.repeat(32) }],
    ['FACTOR_KEY', { FACTOR_KEY: 'A'.repeat(43) }],
    ['FACTOR_KEY', { FACTOR_KEY: `${KEY},${'ab'.repeat(32)}` }],
    ['FACTOR_KEY', { FACTOR_KEY: Buffer.alloc(32, 0xab).toString('base64url') }],
    ['FACTOR_KEY', { FACTOR_KEY: `${KEY},short` }],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, HOST: '0.0.0.0' }],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, HOST: '::' }],
    [
      'ORIGIN',
      { NODE_ENV: 'production', FACTOR_KEY: KEY, SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@b.example' },
    ],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, ORIGIN: 'http://app.example' }],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, ORIGIN: 'http://203.0.113.9' }],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, ORIGIN: 'http://[2001:db8::9]' }],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, ORIGIN: 'http://172.32.0.1' }],
    ['ORIGIN', { NODE_ENV: 'production', FACTOR_KEY: KEY, ORIGIN: 'http://localhost.app.example' }],
    ['ORIGIN', { ORIGIN: 'app.example' }],
    ['ORIGIN', { ORIGIN: 'https://app.example/path' }],
    ['ORIGIN', { ORIGIN: 'https://user@app.example' }],
    ['ORIGIN', { ORIGIN: 'ftp://app.example' }],
    ['PORT', { PORT: 'http' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '80.5' }],
    ['HOST', { HOST: '999.1.1.1' }],
    ['HOST', { HOST: ' ' }],
    ['HOST', { HOST: 'http://127.0.0.1' }],
    ['HOST', { HOST: 'localhost:80' }],
    ...[
      'accounts',
      '/',
      '/accounts/',
      '/Accounts',
      '//evil.test',
      'https://app.example/accounts',
      '/a b',
    ].map((path) => ['BASE_PATH', { BASE_PATH: path }] as const),
    ['HOSTS', { HOSTS: 'https://www.app.example' }],
    ['HOSTS', { HOSTS: 'www.app.example,a b' }],
    ['HOSTS', { HOSTS: '*.app.example' }],
    ['HOSTS', { HOSTS: '10.0.0.7:http' }],
    ['TRUSTED_DEVICE_DAYS', { TRUSTED_DEVICE_DAYS: '0' }],
    ['TRUSTED_DEVICE_DAYS', { TRUSTED_DEVICES: '1', TRUSTED_DEVICE_DAYS: '91' }],
    ['TRUSTED_DEVICE_DAYS', { TRUSTED_DEVICES: '1', TRUSTED_DEVICE_DAYS: '1.5' }],
    ['TRUSTED_DEVICE_DAYS', { TRUSTED_DEVICES: '1', TRUSTED_DEVICE_DAYS: 'month' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'proxy.example' }],
    ...['MAIL_CODES', 'TRUSTED_DEVICES', 'TWO_PERSON_RESET', 'DEMO'].flatMap((name) =>
      ['true', 'on', 'yes', '2', ' 1'].map((value) => [name, { [name]: value }] as const),
    ),
    ...['prod', 'Production', 'staging'].map((NODE_ENV) => ['NODE_ENV', { NODE_ENV }] as const),
    ...[
      '10.0.0.0/8/8',
      '10.0.0.5/8',
      '127.0.0.1/33',
      '::/129',
      '::1/64',
      'unix',
      '10.0.0.0/',
      '10.0.0.0/08',
    ].map((TRUSTED_PROXIES) => ['TRUSTED_PROXIES', { TRUSTED_PROXIES }] as const),
    ...Object.entries(nearlyRight).flatMap(([name, values]) =>
      values.map((value) => [name, { [name]: value }] as const),
    ),
  ]
  for (const [name, variables] of refused) {
    it(`refuses ${JSON.stringify(variables)} with one line that names ${name} and shows no key [RA-3203]`, () => {
      assert.throws(
        () => readEnvironment(variables, PARTS),
        (error: unknown) => {
          assert.ok(error instanceof StartupError)
          assert.ok(error.message.startsWith(name), error.message)
          assert.equal(/\n|short|abab/.test(error.message), false)
          return true
        },
      )
    })
  }

  it('accepts nothing that the server then refuses [RA-3203]', async () => {
    const [addresses, prefixes] = [
      [
        '10.0.0.0',
        '10.0.0.5',
        '0.0.0.0',
        '::',
        '::1',
        'fd00::',
        '::ffff:10.0.0.0',
        'fe80::1%lo',
        '10.0.0',
        '1',
      ],
      ['', '/0', '/8', '/08', '/32', '/33', '/64', '/104', '/128', '/129', '/-1', '/'],
    ]
    const hosts = [
      'app.example',
      'a_b.example',
      'a..b',
      '-',
      'ä.example',
      '[::1]',
      '[::1]:1',
      'x:0',
      'x:99999',
      '1.2',
    ]
    const settings = [
      ...addresses.flatMap((ip) => prefixes.map((prefix) => ({ TRUSTED_PROXIES: ip + prefix }))),
      ...hosts.map((host) => ({ HOSTS: host })),
      ...hosts.flatMap((host) => ['http', 'https'].map((scheme) => ({ ORIGIN: `${scheme}://${host}` }))),
    ]
    let accepted = 0
    for (const variables of settings) {
      let options
      try {
        options = serveOptionsOf(readEnvironment({ ...variables, PORT: '0' }))
      } catch (error) {
        assert.ok(error instanceof StartupError, JSON.stringify(variables))
        continue
      }
      accepted++

      const server = await serve(App.create(), { ...options, signals: [] }).catch((error: unknown) => {
        assert.fail(`${JSON.stringify(variables)}: ${String(error)}`)
      })

      await server.close()
    }
    assert.ok(accepted > 20, String(accepted))
  })

  it('needs no origin in production on loopback, where a proxy stands before it', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) {
      assert.equal(readEnvironment({ NODE_ENV: 'production', FACTOR_KEY: KEY, HOST }).origin, undefined)
    }
  })

  it('an origin without HTTPS is accepted in production on this machine and in a network of its own only [RA-3203]', () => {
    const production = { NODE_ENV: 'production', FACTOR_KEY: KEY }
    for (const host of [
      'localhost:3000',
      '127.0.0.1',
      '[::1]:8080',
      '10.1.2.3',
      '192.168.1.2:8080',
      '[fd00::7]',
    ])
      assert.ok(readEnvironment({ ...production, ORIGIN: `http://${host}` }), host)
    assert.ok(readEnvironment({ ORIGIN: 'http://app.example' }), 'outside production')
  })

  it('warns when it trusts no proxy and every client has one address, and when it may be behind one [RA-3203]', () => {
    const production = { NODE_ENV: 'production', FACTOR_KEY: KEY }
    const named = (variables: Readonly<Record<string, string>>): readonly string[] =>
      readEnvironment(variables).warnings.map((warning) => warning.split(' ')[0] ?? '')
    const https = { ...production, ORIGIN: 'https://app.example', HOST: '0.0.0.0' }

    assert.deepEqual(named({}), [])
    assert.deepEqual(named(https), ['TRUSTED_PROXIES'])
    assert.deepEqual(named({ ...https, TRUSTED_PROXIES: '10.0.0.0/8' }), [])
    assert.deepEqual(named(production), ['ORIGIN', 'TRUSTED_PROXIES'])
    assert.deepEqual(named({ ...production, HOST: '0.0.0.0', ORIGIN: 'http://10.0.0.7' }), [])
  })
})
