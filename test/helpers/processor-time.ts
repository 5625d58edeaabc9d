/** Processor time of this process so far, in milliseconds: bounds that a busy machine must not break are set in it. */
export function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
