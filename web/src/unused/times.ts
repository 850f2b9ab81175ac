/** Stands in the place of d3-time-format: no chart here has an axis of dates. */
function noTime(): never {
  throw new Error('dates are not drawn here');
}

export { noTime as timeFormat, noTime as utcFormat };
