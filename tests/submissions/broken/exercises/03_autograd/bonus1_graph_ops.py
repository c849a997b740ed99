# In[1]:
%matplotlib inline
!pip install torch
import torch

# In[2]:
def graph_ops(t):
    return []
