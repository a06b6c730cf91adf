import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { binding, ContainerException, Definitions, inject } from '../../src/container/index.ts'
import { Container } from '../../src/container/internal.ts'
import { PasswordHasher } from '../../src/auth/index.ts'

class RequestValue {
  readonly name = 'of the request'
}
class Clockwork {
  readonly ticks: number[] = []
}
class Shop {
  readonly clockwork: Clockwork = inject(Clockwork)
}
class Cart {
  readonly shop: Shop
  constructor(shop: Shop = inject(Shop)) {
    this.shop = shop
  }
}
class Page {
  readonly value: RequestValue = inject(RequestValue)
  readonly shop: Shop = inject(Shop)
}

function containerOf(configure: (definitions: Definitions) => void = () => undefined): Container {
  const definitions = new Definitions()
  configure(definitions)
  return new Container(definitions.values(), [RequestValue])
}

function scopeOf(
  value: RequestValue,
  bindings: Record<string, object> = {},
): Parameters<Container['build']>[1] {
  return { values: new Map<unknown, object>([[RequestValue, value]]), bindings }
}

describe('Container', () => {
  it('builds a class on first use, once, without registration [HASH-03]', () => {
    const container = containerOf()

    assert.ok(container.get(PasswordHasher) instanceof PasswordHasher)
    assert.equal(container.get(PasswordHasher), container.get(PasswordHasher))
  })

  it('returns the instance that was registered [HASH-04]', () => {
    const own = new PasswordHasher('bcrypt', { cost: 4 })
    const container = containerOf((definitions) =>
      definitions.set(PasswordHasher, new PasswordHasher()).set(PasswordHasher, own),
    )

    assert.equal(container.get(PasswordHasher), own)
  })

  it('wires field initializers and constructor defaults, each class shared', () => {
    const container = containerOf()

    const cart = container.get(Cart)

    assert.equal(cart.shop, container.get(Shop))
    assert.equal(cart.shop.clockwork, container.get(Clockwork))
  })

  it('two applications share nothing', () => {
    assert.notEqual(containerOf().get(Clockwork), containerOf().get(Clockwork))
  })

  it('returns a registered value for an abstract class, even a falsy one', () => {
    abstract class Port {
      abstract send(): string
    }
    const port = { send: () => 'sent' }
    const container = containerOf((definitions) =>
      definitions.set(Port, port).set(Number, 0 as unknown as number),
    )

    assert.equal(container.get(Port), port)
    assert.equal(container.get(Number), 0)
  })

  it('builds a separate instance for each request, with the values of that request', () => {
    const container = containerOf()
    const [one, two] = [new RequestValue(), new RequestValue()]

    const [first, second] = [container.build(Page, scopeOf(one)), container.build(Page, scopeOf(two))]

    assert.notEqual(first, second)
    assert.deepEqual([first.value === one, second.value === two], [true, true])
    assert.equal(first.shop, second.shop)
  })

  it('refuses a value of the request to a shared service, and names both [AUTH-28]', () => {
    class Keeper {
      readonly value: RequestValue = inject(RequestValue)
    }
    class Greedy {
      readonly keeper: Keeper = inject(Keeper)
    }
    const container = containerOf()

    assert.throws(
      () => container.build(Greedy, scopeOf(new RequestValue())),
      (error: unknown) => {
        assert.ok(error instanceof ContainerException)
        assert.match(error.message, /RequestValue.*Keeper/)
        return true
      },
    )
    assert.throws(() => container.get(RequestValue), ContainerException)
  })

  it('returns what a resolver bound, by name, in a request only', () => {
    const page = { title: 'x' }
    class Show {
      readonly page: object = inject(binding<object>('page'))
    }
    const container = containerOf()

    assert.equal(container.build(Show, scopeOf(new RequestValue(), { page })).page, page)
    assert.throws(() => container.build(Show, scopeOf(new RequestValue(), { other: page })), /binding "page"/)
    assert.throws(() => container.get(binding('page')), ContainerException)
  })

  for (const name of ['__proto__', 'constructor', 'toString']) {
    it(`has no binding ${name} unless one was bound`, () => {
      class Show {
        readonly page: object = inject(binding<object>(name))
      }

      assert.throws(() => containerOf().build(Show, scopeOf(new RequestValue())), ContainerException)
    })
  }

  it('reports services that depend on each other, and continues to work afterwards', () => {
    class Hen {
      readonly egg: object = inject(Egg)
    }
    class Egg {
      readonly hen: Hen = inject(Hen)
    }
    const container = containerOf()

    assert.throws(() => container.get(Hen), /Hen -> Egg -> Hen/)
    assert.throws(() => container.get(Egg), /Egg -> Hen -> Egg/)
    assert.ok(container.get(Shop) instanceof Shop)
  })

  it('refuses a class whose constructor needs arguments, by name, and says what to do [HOLD-47]', () => {
    class Mailer {
      readonly host: string
      constructor(host: string) {
        this.host = host
      }
    }
    class Orders {
      readonly mailer: object = inject(Mailer as unknown as new () => Mailer)
    }

    assert.throws(() => containerOf().get(Mailer as unknown as new () => Mailer), /definitions\.set\(Mailer/)
    assert.throws(
      () => containerOf().build(Orders, null),
      /^ContainerException: Cannot build Mailer for Orders: /,
    )
  })

  it('builds a class whose arguments have defaults [HOLD-47]', () => {
    class Mailer {
      readonly given: readonly unknown[]
      constructor(clock = inject(Clockwork), { port = 25 } = {}, ...more: readonly string[]) {
        this.given = [clock, port, ...more]
      }
    }
    const container = containerOf()

    assert.deepEqual(container.get(Mailer).given, [container.get(Clockwork), 25])
  })

  it('refuses an abstract class that nobody registered, by name [HOLD-47]', () => {
    abstract class Mailer {
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
        () => containerOf().build(Uses, null),
        (error: unknown) =>
          error instanceof ContainerException &&
          error.message.includes(`Cannot build ${type.name} for Uses: it has no members`),
      )
      const registered = new Container(new Map([[type, { send: () => undefined }]]), [])
      assert.ok(registered.build(Uses, null).port)
    }
  })

  it('builds what extends an abstract class and has members [HOLD-47]', () => {
    abstract class Mailer {
      abstract send(): string
    }
    class Smtp extends Mailer {
      send(): string {
        return 'sent'
      }
    }
    class Uses {
      readonly mailer: Smtp = inject(Smtp)
      readonly map: object = inject(Map)
    }

    const uses = containerOf().build(Uses, null)

    assert.deepEqual([uses.mailer.send(), uses.map instanceof Map], ['sent', true])
  })

  it('lets an error of a constructor pass as it is [HOLD-47]', () => {
    const own = new TypeError('own')
    class Guard {
      constructor() {
        throw own
      }
    }
    class Page {
      readonly guard: object = inject(Guard)
    }

    assert.throws(
      () => containerOf().build(Page, null),
      (error) => error === own,
    )
  })

  it('keeps no half-built service when a constructor throws', () => {
    let attempts = 0
    class Flaky {
      readonly shop: Shop = inject(Shop)
      constructor() {
        if (++attempts === 1) throw new Error('not yet')
      }
    }
    const container = containerOf()

    assert.throws(() => container.get(Flaky), /not yet/)
    assert.equal(container.has(Flaky), false)
    assert.ok(container.get(Flaky) instanceof Flaky)
  })
})

describe('inject()', () => {
  it('works only while something is built', async () => {
    let later: (() => unknown) | undefined
    class Late {
      constructor() {
        later = () => inject(Shop)
      }
    }
    const container = containerOf()
    container.get(Late)

    assert.throws(() => inject(Shop), ContainerException)
    assert.throws(() => later?.(), ContainerException)
    await Promise.resolve()
    assert.throws(() => later?.(), /field initializer/)
  })

  it('returns to the outer application when one builds another', () => {
    const inner = containerOf((definitions) => definitions.set(Clockwork, new Clockwork()))
    class Outer {
      readonly theirs: Clockwork = inner.get(Shop).clockwork
      readonly ours: Clockwork = inject(Clockwork)
    }
    const outer = containerOf()

    const built = outer.get(Outer)

    assert.equal(built.ours, outer.get(Clockwork))
    assert.equal(built.theirs, inner.get(Clockwork))
  })
})

describe('Definitions.set()', () => {
  it('refuses a value that is not a class, undefined, and anything once locked', () => {
    const definitions = new Definitions()

    assert.throws(
      () => definitions.set('Clockwork' as unknown as typeof Clockwork, new Clockwork()),
      TypeError,
    )
    assert.throws(() => definitions.set(Clockwork, undefined as unknown as Clockwork), TypeError)
    definitions.lock()
    assert.throws(() => definitions.set(Clockwork, new Clockwork()), ContainerException)
    assert.equal(definitions.values().size, 0)
  })
})
