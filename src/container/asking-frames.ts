/**
 * Finds the method that requests a value of the request while a controller is built. Allowed are a field initializer, a
 * constructor, a function of a module and a method of the controller itself. A method of anything else, such as a shared
 * service, could keep the value for the next request.
 *
 * @param type Class of the controller.
 * @param asked The function that was called; the stack frames above it are inspected.
 * @returns Name of the offending method; null when there is none, or the platform does not expose stack frames.
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
    return Array.isArray(stack) ? stack.filter(isFrame) : []
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Reflect.set(Error, 'prepareStackTrace', prepareStackTrace)
  }
}

// Other engines than V8 have only some of these members, or none.
function isFrame(frame: unknown): frame is NodeJS.CallSite {
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
