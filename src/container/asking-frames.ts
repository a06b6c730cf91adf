/**
 * Finds the method that asks for a value of the request while a controller is built. A field initializer, a constructor,
 * a function of a module and a method of the controller itself may; a method of anything else, such as a shared service,
 * could keep the value for the next request.
 *
 * @param type Class of the controller.
 * @param asked The function that was asked: frames above it are looked at.
 * @returns Name of that method; null when there is none, or the platform does not tell.
 */
export function foreignMethod(type: unknown, asked: (...args: never[]) => unknown): string | null {
  const own = namesOf(type)
  for (const frame of framesAbove(asked)) {
    const name = frame.getFunctionName()
    if (name === 'build' && frame.getTypeName() === 'Container') return null
    if (frame.isConstructor() || name === '<instance_members_initializer>') continue
    if (frame.isToplevel() || frame.isNative()) continue
    const receiver = frame.getTypeName()
    if (receiver !== null && !own.has(receiver)) return `${receiver}.${name ?? 'unnamed'}`
  }
  return null
}

function framesAbove(asked: (...args: never[]) => unknown): NodeJS.CallSite[] {
  const { stackTraceLimit } = Error
  const prepareStackTrace: unknown = Reflect.get(Error, 'prepareStackTrace')
  const holder: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = 100
    Error.prepareStackTrace = (_, frames) => frames
    Error.captureStackTrace(holder, asked)
    const { stack } = holder
    return Array.isArray(stack) ? (stack as NodeJS.CallSite[]).filter(isFrame) : []
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Reflect.set(Error, 'prepareStackTrace', prepareStackTrace)
  }
}

// Engines other than V8 have parts of this, or nothing.
function isFrame(frame: unknown): boolean {
  if (typeof frame !== 'object' || frame === null) return false
  return ['getFunctionName', 'getTypeName', 'isConstructor', 'isToplevel', 'isNative'].every(
    (member) => typeof Reflect.get(frame, member) === 'function',
  )
}

function namesOf(type: unknown): Set<string> {
  const names = new Set<string>()
  for (
    let each = type;
    typeof each === 'function' && each !== Function.prototype;
    each = Object.getPrototypeOf(each)
  )
    names.add(each.name)
  return names
}
