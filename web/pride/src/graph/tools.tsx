/** Look is what is shown of a net besides its boxes and links. */
export interface Look {
  formulas: boolean;
  order: boolean;
  costs: boolean;
  values: boolean;
}

interface Props {
  look: Look;
  setLook: (look: Look) => void;
  formulas: boolean; // there are any
  costs: string | undefined; // where they come from
  tidy: () => void;
}

/** Tools are the switches above the drawing. */
export function Tools({ look, setLook, formulas, costs, tidy }: Props) {
  const option = (name: keyof Look, text: string, title: string) => (
    <label title={title}>
      <input type="checkbox" checked={look[name]} onChange={(e) => setLook({ ...look, [name]: e.target.checked })} /> {text}
    </label>
  );
  return (
    <div className="tools" role="group" aria-label="What is shown">
      {formulas && option("formulas", "Formulas", "Operators as one box with what they compute")}
      {option("order", "Order", "The order of execution in each cycle")}
      {costs !== undefined && option("costs", "Costs", `What primitives take in a cycle: ${costs}`)}
      {option("values", "Values", "Values on links as they change")}
      <button type="button" onClick={tidy} title="Lay out everything again">Tidy</button>
    </div>
  );
}
