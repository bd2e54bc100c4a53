"""What a language model adds to tasks; everything works without it, and nothing is believed that it says.

- `command`: `autoforge-gen tasks --llm`; `assistant`: what happens before tasks are made, and after; `advice`: what
  comes of the first
- `adviser`: the model, asked with a cost cap, every answer counted; `words`: what it is told
- `pairs`, `flow`, `edges`: which outputs can feed which arguments, as one more kind of evidence
- `formulas`, `derived_fields`, `field_proposals`, `derived_questions`: figures that no tool shows but that follow from
  a row that it shows
- `opinions`: which calls of a merged task look redundant; kept, never acted on
- `drift`, `reword`: instructions in livelier words, held to the facts and proved again
"""
