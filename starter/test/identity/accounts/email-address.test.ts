import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsAddress, emailField, readableAddress, emailKey } from '../../../core/text/email-address.ts'

/** The first violation of an address, by the name of its format. */
function refusal(email: string): string {
  const parsed = emailField.safeParse(email)
  if (parsed.success) return 'none'
  const [issue] = parsed.error.issues
  return issue?.code === 'invalid_format' ? issue.format : (issue?.code ?? '')
}

describe('an address with letters of another alphabet', () => {
  for (const [typed, readable, dns] of [
    ['ada@bücher.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え.jp', 'ada@例え.jp', 'ada@xn--r8jz45g.jp'],
    ['ada@пример.рф', 'ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
    ['Ada@Example.com', 'Ada@Example.com', 'Ada@Example.com'],
  ] as const)
    it(`${typed} is one address in each spelling: shown readable, sent as the DNS has it [RA-0103]`, () => {
      assert.equal(emailField.parse(` ${typed} `), readable)
      assert.equal(dnsAddress(readable).toLowerCase(), dns.toLowerCase())
      for (const spelling of [typed, readable, dns]) assert.equal(emailKey(spelling), dns.toLowerCase())
    })

  for (const email of ['ada@аррӏе.com', 'ada@раypal.com', 'ada@gοοgle.com', 'ada@xn--a.example'])
    it(`${email} is not shown with letters that are taken for others`, () => {
      const shown = readableAddress(email)

      assert.match(shown, /^ada@[a-z0-9.-]+$/)
      assert.equal(emailKey(shown), emailKey(email))
    })

  for (const email of [
    'jörg@example.com',
    '用户@example.com',
    'a"b"@example.com',
    '"a b"@example.com',
    '.ada@example.com',
  ])
    it(`${email} is refused for what is before the @, and the message says so`, () => {
      assert.equal(refusal(email), 'mailbox')
    })

  for (const email of [
    'ada',
    '@example.com',
    'ada@',
    'ada@host',
    'ada@1.2.3.4',
    'ada@[::1]',
    'ada@bücher.example/x',
    'ada@b%75cher.example',
    'ada@büch er.example',
    'ada@bücher..example',
    'ada@-host.example',
    `ada@${'ü'.repeat(64)}.example`,
    `ada@${'ü.'.repeat(60)}example`,
  ])
    it(`${email.slice(0, 40)} is refused: it has no domain`, () => {
      assert.equal(refusal(email), 'email')
    })

  it('has one key only with the same domain: nothing of a URL is read into it', () => {
    const key = emailKey('ada@bücher.example')

    for (const email of [
      'ada@bücher.example/x',
      'ada@bücher.ex%61mple',
      'ada@bücher.example#',
      'ada@eve@bücher.example',
    ])
      assert.notEqual(emailKey(email), key, email)
  })

  for (const email of ['ada+news@example.com', "o'brien@example.com", 'a_b-c.d@sub.example.co', 'x@a.io'])
    it(`${email} is accepted as it is`, () => {
      assert.equal(emailField.parse(email), email)
    })
})
