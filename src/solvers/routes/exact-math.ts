/**
 * Logarithm and exponential with the four basic operations only. IEEE 754 specifies the results of these operations
 * exactly, but not the results of `Math.log`. Therefore a plan that is solved again on another machine or by a later
 * engine version has the same bytes.
 */
const LN2 = 0.6931471805599453;

/** Natural logarithm of a number above 0, to about 1e-12. */
export function naturalLog(value: number): number {
  let halvings = 0;
  let mantissa = value;
  while (mantissa < 0.7071) {
    mantissa *= 2;
    halvings -= 1;
  }
  while (mantissa > 1.4143) {
    mantissa /= 2;
    halvings += 1;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let term = ratio;
  let sum = ratio;
  for (let odd = 3; odd <= 17; odd += 2) {
    term *= square;
    sum += term / odd;
  }
  return 2 * sum + halvings * LN2;
}

/** e to the power of a number, to about 1e-12 of the result. */
export function exponential(value: number): number {
  let squarings = 0;
  let small = value;
  while (small > 0.01 || small < -0.01) {
    small /= 2;
    squarings += 1;
  }
  let term = 1;
  let result = 1;
  for (let step = 1; step <= 6; step += 1) {
    term *= small / step;
    result += term;
  }
  for (; squarings > 0; squarings -= 1) result *= result;
  return result;
}
