import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { runInThisContext } from 'node:vm'

import { Container } from '../../src/container/internal.ts'
import { ContainerException, inject } from '../../src/container/index.ts'
import { ForbiddenException } from '../../src/http/index.ts'

class Stock {
  readonly count = 3
}

// Sources as a bundler or a person may write them; each is a class of its own.
function evaluate(source: string): new () => object {
  const make = runInThisContext(`(Stock, inject) => (${source})`) as (...given: unknown[]) => new () => object
  return make(Stock, inject)
}

function container(): Container {
  return new Container(new Map(), [])
}

describe('a class that is not registered', () => {
  for (const source of [
    'class A { constructor(a) {} }',
    'class A { constructor(a = 1, b) {} }',
    'class A { constructor(a = [1, 2], { b, c }) {} }',
    'class A { x = 1\n constructor(a = ")", b) {} }',
    'class A { text = "constructor() {}"; constructor(a = 1, b) {} }',
    'class A { /* constructor() {} */ constructor(a = 1 /* , */, b) {} }',
    'class A { pattern = /[/}"]constructor() {/; constructor(a = 1, b) {} }',
    'class A { text = `${"}"}constructor() {}${`{`}`; constructor(a = 1, b) {} }',
    'class A { method() { return this.constructor() } constructor(a = 1, b) {} }',
    'class A { inner = class { constructor() {} }; constructor(a = 1, b) {} }',
    'class B extends class A { constructor(a = 1, b) {} } {}',
    'class B extends class A { constructor(a = 1, b) {} } { x = 1 }',
    'function A(a) {}',
  ]) {
    it(`is refused by name when it needs arguments: ${source} [HOLD-47]`, () => {
      const type = evaluate(source)
      assert.throws(
        () => container().get(type),
        (error: unknown) =>
          error instanceof ContainerException &&
          error.message.includes(`Cannot build ${type.name}: its constructor`),
      )
      assert.throws(() => container().build(type, null), ContainerException)
    })
  }

  for (const source of [
    'class A { x = 1 }',
    'class A {}',
    'class A { constructor() { this.x = 1 } }',
    'class A { constructor(a = 1, ...b) { this.x = b } }',
    'class A { constructor({ a, b } = {}) { this.x = a } }',
    'class A { constructor(stock = inject(Stock), b = (x, y) => x) { this.x = b } }',
    'class B extends class A { constructor(a = 1, b) { this.x = a } } { constructor() { super(1, 2) } }',
    'class A { "constructor"() { this.x = 1 } }',
    'class A { static constructor(a) {} x = 1 }',
    'class A { ratio = 4 / 2; more = 6 / 3; constructor() { this.x = /[(]/.test("(") } }',
    'function A() { this.x = 1 }',
  ]) {
    it(`is built when it needs none: ${source} [HOLD-47]`, () => {
      assert.ok(container().get(evaluate(source)))
    })
  }

  it('is refused by name when it is abstract [HOLD-47]', () => {
    abstract class Mailer {
      /** Sends. */
      abstract send(text: string): void
    }
    abstract class Printer extends Mailer {
      abstract print(): void
    }
    for (const type of [Mailer, Printer]) {
      class Uses {
        readonly port: object = inject(type)
      }
      assert.throws(
        () => container().build(Uses, null),
        (error: unknown) =>
          error instanceof ContainerException && error.message.includes(`Cannot build ${type.name}`),
      )
      const registered = new Container(new Map([[type, { send: () => undefined }]]), [])
      assert.ok(registered.build(Uses, null).port)
    }
  })

  it('is built when it extends an abstract one and has members [HOLD-47]', () => {
    abstract class Mailer {
      abstract send(): string
    }
    class Smtp extends Mailer {
      send(): string {
        return 'sent'
      }
    }

    assert.equal(container().get(Smtp).send(), 'sent')
  })

  it('is refused with the class that injects it [HOLD-47]', () => {
    class Mailer {
      readonly host: string
      constructor(host: string) {
        this.host = host
      }
    }
    class Orders {
      readonly mailer: object = inject(Mailer as unknown as new () => Mailer)
    }

    assert.throws(
      () => container().build(Orders, null),
      /^ContainerException: Cannot build Mailer for Orders: /,
    )
  })
})

describe('a class of the platform that is not registered', () => {
  class Inherits extends DatabaseSync {}
  class WithMembers extends DatabaseSync {
    readonly opened = 1
  }

  for (const type of [DatabaseSync, Inherits, WithMembers]) {
    it(`is refused by name when it needs arguments: ${type.name} [HOLD-47]`, () => {
      class Accounts {
        readonly database: object = inject(type)
      }
      class Page {
        readonly accounts: object = inject(Accounts)
      }

      assert.throws(
        () => container().build(Page, null),
        (error: unknown) => {
          assert.ok(error instanceof ContainerException)
          assert.ok(error.message.startsWith(`Cannot build ${type.name} for Accounts: `))
          assert.ok(error.message.endsWith(`definitions.set(${type.name}, …)`))
          assert.ok(error.cause instanceof TypeError)
          return true
        },
      )
    })
  }

  it('is built when it needs none [HOLD-47]', () => {
    assert.ok(container().get(Map) instanceof Map)
  })

  it('does not change the error of a constructor of the application [HOLD-47]', () => {
    const own = new ForbiddenException()
    class Fields extends Map {
      readonly field: never = refuse(own)
    }
    class Constructor extends DatabaseSync {
      constructor() {
        super(':memory:')
        refuse(own)
      }
    }
    class Unopened extends DatabaseSync {
      constructor() {
        super('/missing/folder/file.db')
      }
    }
    class Guard {
      constructor() {
        refuse(own)
      }
    }

    for (const type of [Fields, Constructor, Guard, new Proxy(Guard, {})])
      assert.throws(
        () => container().get(type),
        (error) => error === own,
      )
    assert.throws(() => container().get(Unopened), { code: 'ERR_SQLITE_ERROR' })
  })
})

function refuse(error: Error): never {
  throw error
}
