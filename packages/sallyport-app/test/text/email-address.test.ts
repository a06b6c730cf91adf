import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsAddress, emailField, readableAddress, emailKey } from 'sallyport-app/text'

/** The first violation of an address, by the name of its format. */
function refusal(email: string): string {
  const parsed = emailField.safeParse(email)
  if (parsed.success) return 'none'
  const [issue] = parsed.error.issues
  return issue?.code === 'invalid_format' ? issue.format : (issue?.code ?? '')
}

describe('an address with letters of another alphabet', () => {
  it('is one address in each spelling: shown readable, sent as the DNS has it [RA-0103]', () => {
    for (const [typed, readable, dns] of [
      ['ada@bücher.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
      ['ada@BÜCHER.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
      ['ada@xn--bcher-kva.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
      ['ada@bu\u0308cher.example', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
      ['ada@例え.jp', 'ada@例え.jp', 'ada@xn--r8jz45g.jp'],
      ['ada@пример.рф', 'ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
      ['Ada@Example.com', 'Ada@Example.com', 'Ada@Example.com'],
    ] as const) {
      assert.equal(emailField.parse(` ${typed} `), readable)
      assert.equal(dnsAddress(readable).toLowerCase(), dns.toLowerCase())
      for (const spelling of [typed, readable, dns]) assert.equal(emailKey(spelling), dns.toLowerCase())
    }
  })

  it('is not shown with letters that are taken for others', () => {
    for (const email of ['ada@аррӏе.com', 'ada@раypal.com', 'ada@gοοgle.com', 'ada@xn--a.example']) {
      const shown = readableAddress(email)
      assert.match(shown, /^ada@[a-z0-9.-]+$/)
      assert.equal(emailKey(shown), emailKey(email))
    }
  })

  it('is refused for what is before the @', () => {
    for (const email of [
      'jörg@example.com',
      '用户@example.com',
      'a"b"@example.com',
      '"a b"@example.com',
      '.ada@example.com',
    ]) {
      assert.equal(refusal(email), 'mailbox')
    }
  })

  it('is refused where it has no domain', () => {
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
    ]) {
      assert.equal(refusal(email), 'email')
    }
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

  it('is accepted as it is', () => {
    for (const email of ['ada+news@example.com', "o'brien@example.com", 'a_b-c.d@sub.example.co', 'x@a.io']) {
      assert.equal(emailField.parse(email), email)
    }
  })
})
